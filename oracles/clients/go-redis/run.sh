#!/bin/sh
# run.sh MAJOR
set -eu
exec "$(dirname "$0")/../../target/go/bin/go-redis" "$1"
