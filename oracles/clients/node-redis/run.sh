#!/bin/sh
# run.sh VERSION SCHEME
set -eu
exec node "$(dirname "$0")/adapter.mjs" "$@"
