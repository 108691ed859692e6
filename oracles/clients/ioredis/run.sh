#!/bin/sh
# run.sh PACKAGE VERSION
set -eu
exec node "$(dirname "$0")/adapter.mjs" "$@"
