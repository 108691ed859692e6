#!/bin/sh
# run.sh redis|redis-protocol
set -eu
exec "$(dirname "$0")/../../target/rust/release/oracle-redis-rust" "$1"
