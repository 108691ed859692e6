#!/bin/sh
# build.sh VERSION: compiles the adapter and fetches the server's jars of VERSION.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../../java/build.sh" clients/opensearch-jar "opensearch-$1" "org.opensearch:opensearch:$1"
