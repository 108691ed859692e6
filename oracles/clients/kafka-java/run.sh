#!/bin/sh
# run.sh VERSION: the adapter over kafka-clients VERSION.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../../java/run.sh" 17 clients/kafka-java "kafka-clients-$1" oracle.kafka.KafkaJava "$1"
