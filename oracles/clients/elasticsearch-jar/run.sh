#!/bin/sh
# run.sh VERSION: the adapter over the jars of Elasticsearch VERSION.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
case $1 in
    7.* | 8.*) jdk=17 ;;
    *) jdk=25 ;;
esac
exec sh "$here/../../java/run.sh" $jdk clients/elasticsearch-jar "elasticsearch-$1" oracle.elasticsearch.ElasticsearchJar
