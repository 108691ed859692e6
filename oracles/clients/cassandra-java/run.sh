#!/bin/sh
# run.sh GROUP:ARTIFACT:VERSION: the adapter over that driver.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../../java/run.sh" 17 clients/cassandra-java "$(echo "$1" | tr : -)" oracle.cassandrajava.CassandraJava "${1##*:}"
