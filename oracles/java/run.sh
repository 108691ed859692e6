#!/bin/sh
# run.sh VERSION_MIN MODULE SOURCE CLASS ARG...: runs the adapter CLASS of oracles/MODULE over the jars of SOURCE.
# More flags for the JVM: the variable JVM_FLAGS.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$here")/target/java
java=$(sh "$here/jdk.sh" "$1")/bin/java
build=$out/build/$(basename "$2")/classes:$out/build/oracle-helper/classes
lib=$out/lib/$3
class=$4
shift 4
# shellcheck disable=SC2086
exec "$java" -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dfile.encoding=UTF-8 -Duser.timezone=UTC \
    -Duser.language=en ${JVM_FLAGS:-} -cp "$build:$out/lib/oracle-helper/*:$lib/*" "$class" "$@"
