#!/bin/sh
# go.mod pins the version
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../go/build.sh"
gobuild kafka-go
