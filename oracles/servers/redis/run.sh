#!/bin/sh
# run.sh NAME-VERSION [cluster]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/programs.sh"
exec "${PYTHON:-python3}" "$here/adapter.py" "$(program "$1")" "$@"
