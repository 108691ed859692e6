#!/bin/sh
# build.sh GROUP:ARTIFACT:VERSION: compiles the adapter and fetches that driver.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../../java/build.sh" clients/cassandra-java "$(echo "$1" | tr : -)" "$1"
