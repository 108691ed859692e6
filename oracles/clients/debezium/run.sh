#!/bin/sh
# run.sh VERSION: the adapter over Debezium VERSION.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../../java/run.sh" 17 clients/debezium "debezium-$1" oracle.debezium.Debezium
