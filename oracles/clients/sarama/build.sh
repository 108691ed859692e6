#!/bin/sh
# build.sh VERSION: go.mod pins both
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../go/build.sh"
case $1 in
1.61.1) gobuild "sarama-$1" ;;
1.38.1) gobuild "sarama-$1" -tags shopify ;;
*) echo "no sarama $1 here" >&2; exit 1 ;;
esac
