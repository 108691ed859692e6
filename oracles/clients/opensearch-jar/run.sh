#!/bin/sh
# run.sh VERSION: the adapter over the jars of OpenSearch VERSION.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
case $1 in
    1.* | 2.*) jdk=17 ;;
    *) jdk=25 ;;
esac
exec sh "$here/../../java/run.sh" $jdk clients/opensearch-jar "opensearch-$1" oracle.opensearch.OpensearchJar
