#!/bin/sh
# The adapter over the Java producer and consumer, with a broker of its own for as long as it runs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec python3 "$here/broker.py" sh "$here/../../java/run.sh" 17 servers/kafka kafka-broker-4.1.1 oracle.kafkabroker.KafkaBroker
