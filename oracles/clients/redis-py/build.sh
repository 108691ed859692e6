#!/bin/sh
# build.sh redis|valkey|redis-py-cluster VERSION
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../python/venv.sh"
venv "$1-py-$2" "$1==$2"
