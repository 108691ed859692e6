#!/bin/sh
# Compiles our Java programs and fetches the broker's jars. Without slf4j-simple a broker that fails says nothing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../../java/build.sh" servers/kafka kafka-broker-4.1.1 org.apache.kafka:kafka_2.13:4.1.1 org.slf4j:slf4j-simple:1.7.36
