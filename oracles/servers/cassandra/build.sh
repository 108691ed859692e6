#!/bin/sh
# build.sh VERSION: fetches the server's jars of VERSION and the driver that asks it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../python/venv.sh"
venv cassandra-server cassandra-driver==3.29.3
sh "$here/../../clients/cassandra-all/build.sh" "$1"
case $1 in
    3.*) sh "$here/../../java/build.sh" clients/cassandra-all "cassandra-thrift-$1" "org.apache.cassandra:cassandra-thrift:$1" ;;
esac
