#!/bin/sh
# build.sh PACKAGE VERSION
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../python/venv.sh"
venv "$1-$2" "$1==$2"
