#!/bin/sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../../target/venv/kafka-python-$1/bin/python" "$here/adapter.py"
