#!/bin/sh
# run.sh VERSION: the adapter over the jars of Elasticsearch VERSION.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../../java/run.sh" 17 clients/elasticsearch-1-jar "elasticsearch-$1" oracle.elasticsearch1.Elasticsearch1Jar
