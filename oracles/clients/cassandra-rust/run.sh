#!/bin/sh
# run.sh scylla|cdrs
set -eu
exec "$(dirname "$0")/../../target/rust/release/oracle-cassandra-rust" "$1"
