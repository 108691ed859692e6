#!/bin/sh
# build.sh VERSION: compiles the adapter and fetches kafka-clients VERSION.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../../java/build.sh" clients/kafka-java "kafka-clients-$1" "org.apache.kafka:kafka-clients:$1"
