#!/bin/sh
# build.sh VERSION: Debian's redis-server of that version, installed when there is none
set -eu
if ! command -v redis-server >/dev/null; then
    apt-get install -y -q --no-install-recommends redis-server >&2 || {
        apt-get update -q >&2
        apt-get install -y -q --no-install-recommends redis-server >&2
    }
fi
case $(redis-server --version) in
*" v=$1 "*) ;;
*) echo "redis-server is not $1: $(redis-server --version)" >&2; exit 1 ;;
esac
