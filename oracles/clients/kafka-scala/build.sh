#!/bin/sh
# build.sh VERSION: compiles the adapter and fetches the Scala client of VERSION. Its poms do not resolve any more, so the
# few jars that the producer needs are named here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/../../target/java/lib/kafka-scala-$1

case $1 in
0.8.*) jars="org.apache.kafka:kafka_2.10:$1 org.scala-lang:scala-library:2.10.4" ;;
1.1.1) jars="org.apache.kafka:kafka_2.11:$1 org.apache.kafka:kafka-clients:$1 org.scala-lang:scala-library:2.11.12
    com.typesafe.scala-logging:scala-logging_2.11:3.8.0" ;;
*) echo "no Scala client $1 here" >&2; exit 1 ;;
esac
case $1 in
0.8.2.*) jars="$jars org.apache.kafka:kafka-clients:$1" ;;
esac

if [ ! -f "$lib/.complete" ]; then
    rm -rf "$lib"
    mkdir -p "$lib"
    for jar in $jars org.slf4j:slf4j-api:1.7.36 log4j:log4j:1.2.17 com.yammer.metrics:metrics-core:2.2.0; do
        (cd "$lib" && mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
            -Dartifact="$jar" -DoutputDirectory=. >&2)
    done
    touch "$lib/.complete"
fi
exec sh "$here/../../java/build.sh" clients/kafka-scala "kafka-scala-$1"
