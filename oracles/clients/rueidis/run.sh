#!/bin/sh
set -eu
exec "$(dirname "$0")/../../target/go/bin/rueidis"
