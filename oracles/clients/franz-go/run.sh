#!/bin/sh
# run.sh amd64|386 [-selftest]
set -eu
arch=$1
shift
exec "$(dirname "$0")/../../target/go/bin/franz-go-$arch" "$@"
