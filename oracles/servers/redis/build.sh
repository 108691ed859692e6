#!/bin/sh
# build.sh VERSION: Debian's redis-server of that version, installed when there is none
set -eu
install() { apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=60 redis-server >&2; }

if ! command -v redis-server >/dev/null; then
    command -v apt-get >/dev/null || { echo "no redis-server here, and no apt-get to install it" >&2; exit 1; }
    [ "$(id -u)" -eq 0 ] || { echo "no redis-server here, and only root may install it" >&2; exit 1; }
    install || { apt-get update -q >&2; install; }
fi
case $(redis-server --version) in
*" v=$1 "*) ;;
*) echo "redis-server is not $1: $(redis-server --version)" >&2; exit 1 ;;
esac
