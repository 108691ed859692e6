#!/bin/sh
# run.sh VERSION: the adapter, with a server of its own for as long as it runs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../../target/venv/cassandra-server/bin/python" "$here/adapter.py" "$1"
