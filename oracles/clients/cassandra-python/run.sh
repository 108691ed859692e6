#!/bin/sh
# run.sh PACKAGE VERSION
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../../target/venv/$1-$2/bin/python" "$here/adapter.py" "$1"
