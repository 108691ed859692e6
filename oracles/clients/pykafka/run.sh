#!/bin/sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../../target/venv/pykafka/bin/python" "$here/adapter.py"
