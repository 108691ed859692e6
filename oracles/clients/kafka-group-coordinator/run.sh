#!/bin/sh
# run.sh VERSION: the adapter over the server's jars of VERSION.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../../java/run.sh" 17 clients/kafka-group-coordinator "kafka-group-coordinator-$1" \
    oracle.kafkagroup.KafkaGroupCoordinator "$1"
