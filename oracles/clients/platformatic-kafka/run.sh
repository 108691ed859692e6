#!/bin/sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec node --import "$here/shim.mjs" "$here/adapter.mjs"
