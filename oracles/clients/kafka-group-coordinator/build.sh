#!/bin/sh
# build.sh VERSION: compiles the adapter and fetches the server's jars of VERSION.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
case $1 in
3.*) jars=org.apache.kafka:kafka_2.13:$1 ;;
*) jars=org.apache.kafka:kafka-group-coordinator:$1 ;;
esac
exec sh "$here/../../java/build.sh" clients/kafka-group-coordinator "kafka-group-coordinator-$1" "$jars"
