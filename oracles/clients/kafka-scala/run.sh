#!/bin/sh
# run.sh VERSION: the adapter over the Scala client of VERSION.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../../java/run.sh" 17 clients/kafka-scala "kafka-scala-$1" oracle.kafkascala.KafkaScala "$1"
