#!/bin/sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../../target/venv/aiokafka/bin/python" "$here/adapter.py"
