#!/bin/sh
# build.sh VERSION: compiles the adapter and fetches Debezium VERSION and what Kafka Connect would give it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../../java/build.sh" clients/debezium "debezium-$1" "io.debezium:debezium-core:$1.Final" \
    org.apache.kafka:connect-api:4.1.1 org.apache.kafka:connect-transforms:4.1.1
