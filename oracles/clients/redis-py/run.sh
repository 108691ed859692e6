#!/bin/sh
# run.sh redis|valkey|redis-py-cluster VERSION
set -eu
here=$(cd "$(dirname "$0")" && pwd)
module=$1
[ "$1" != redis-py-cluster ] || module=rediscluster
exec "$here/../../target/venv/$1-py-$2/bin/python" "$here/adapter.py" "$module"
