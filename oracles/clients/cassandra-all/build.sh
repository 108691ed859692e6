#!/bin/sh
# build.sh VERSION: compiles the adapter and fetches cassandra-all VERSION.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../../java/build.sh" clients/cassandra-all "cassandra-all-$1" "org.apache.cassandra:cassandra-all:$1"
