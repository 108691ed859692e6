#!/bin/sh
# build.sh: the packages that package-lock.json pins
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../node/npm.sh"
npmci cassandra-node
