#!/bin/sh
# build.sh amd64|386: the width of Go's int is the difference; go.mod pins the version
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../go/build.sh"
export GOARCH="$1"
gobuild "franz-go-$1"
