#!/bin/sh
# run.sh gocql|v2|scylla
set -eu
exec "$(dirname "$0")/../../target/go/bin/gocql-$1"
