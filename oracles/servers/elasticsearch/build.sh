#!/bin/sh
# build.sh VERSION [MODE]: compiles what starts a node, fetches the server's jars of VERSION and those of its HTTP port.
# upgraded needs those of 8.19.21 too.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
java=$here/../../java/build.sh

# Where the server does not bring log4j-core itself, that of its log4j-api.
elasticsearch() {
    case $1 in
        5.* | 6.* | 7.*) netty=transport-netty4-client ;;
        *) netty=transport-netty4 ;;
    esac
    log=
    [ "${1%%.*}" != 6 ] || log=org.apache.logging.log4j:log4j-core:2.17.1
    sh "$java" servers/elasticsearch "elasticsearch-$1" "org.elasticsearch:elasticsearch:$1"
    # shellcheck disable=SC2086
    sh "$java" servers/elasticsearch "elasticsearch-node-$1" "org.elasticsearch.plugin:$netty:$1" $log
}

opensearch() {
    case $1 in
        1.*) log=2.17.1 ;;
        2.*) log=2.25.4 ;;
        *) log=2.25.5 ;;
    esac
    sh "$java" servers/elasticsearch "opensearch-$1" "org.opensearch:opensearch:$1"
    sh "$java" servers/elasticsearch "opensearch-node-$1" "org.opensearch.plugin:transport-netty4-client:$1" \
        "org.apache.logging.log4j:log4j-core:$log"
}

"$1" "$2"
[ "${3:-}" != upgraded ] || "$1" 8.19.21
