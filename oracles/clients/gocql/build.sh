#!/bin/sh
# build.sh gocql|v2|scylla: go.mod pins the versions; the fork of ScyllaDB stands in the place of the driver it forked.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../go/build.sh"
case $1 in
    scylla) gobuild "gocql-$1" -tags "$1" -modfile scylla.mod ;;
    *) gobuild "gocql-$1" -tags "$1" ;;
esac
