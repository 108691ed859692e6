#!/bin/sh
# build.sh: go.mod pins the versions
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../go/build.sh"
gobuild go-redis
