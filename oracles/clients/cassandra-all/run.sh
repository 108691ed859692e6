#!/bin/sh
# run.sh VERSION: the adapter over cassandra-all VERSION.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# With -ea, as Cassandra's own jvm options have it.
JVM_FLAGS="${JVM_FLAGS:-} -ea"
for package in java.lang java.io java.math java.net java.nio java.util java.util.concurrent java.util.concurrent.atomic \
    jdk.internal.ref sun.nio.ch; do
    JVM_FLAGS="$JVM_FLAGS --add-opens java.base/$package=ALL-UNNAMED --add-exports java.base/$package=ALL-UNNAMED"
done
export JVM_FLAGS
exec sh "$here/../../java/run.sh" 17 clients/cassandra-all "cassandra-all-$1" oracle.cassandra.CassandraAll
