#!/bin/sh
# run.sh CLIENT ARG...: the adapter over a client of clients/, with a broker of its own for as long as it runs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../../target/venv/kafka-broker/bin/python" "$here/adapter.py" "$@"
