#!/bin/sh
# run.sh VERSION [--selftest]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
version=$1
shift
exec "$here/../../target/venv/librdkafka-python-$version/bin/python" "$here/adapter.py" "$@"
