#!/bin/sh
# build.sh VERSION: a venv with the confluent-kafka wheel of that version
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../python/venv.sh"
venv "librdkafka-python-$1" "confluent-kafka==$1"
