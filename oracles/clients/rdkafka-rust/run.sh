#!/bin/sh
set -eu
exec "$(dirname "$0")/../../target/rust/release/oracle-rdkafka-rust"
