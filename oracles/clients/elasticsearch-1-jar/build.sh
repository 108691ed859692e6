#!/bin/sh
# build.sh VERSION: compiles the adapter and fetches the server's jars of VERSION.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../../java/build.sh" clients/elasticsearch-1-jar "elasticsearch-$1" "org.elasticsearch:elasticsearch:$1"
