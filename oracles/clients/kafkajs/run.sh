#!/bin/sh
# run.sh VERSION
set -eu
exec node "$(dirname "$0")/adapter.mjs" "$1"
