#!/bin/sh
# build.sh [CLIENT ARG...]: compiles our Java programs, fetches the broker's jars and the consumer, builds clients/CLIENT.
# Without slf4j-simple a broker that fails says nothing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../python/venv.sh"
venv kafka-broker confluent-kafka==2.16.1
sh "$here/../../java/build.sh" servers/kafka kafka-broker-4.1.1 org.apache.kafka:kafka_2.13:4.1.1 org.slf4j:slf4j-simple:1.7.36
[ $# -eq 0 ] || {
    client=$1
    shift
    sh "$here/../../clients/$client/build.sh" "$@"
}
