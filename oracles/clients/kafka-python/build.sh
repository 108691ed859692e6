#!/bin/sh
# build.sh VERSION
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../python/venv.sh"
venv "kafka-python-$1" "kafka-python==$1"
