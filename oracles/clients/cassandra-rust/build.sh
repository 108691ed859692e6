#!/bin/sh
# build.sh: Cargo.lock of oracles/rust pins the versions
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../rust/build.sh"
cargobuild oracle-cassandra-rust
