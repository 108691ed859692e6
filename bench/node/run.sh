#!/bin/sh
# run.sh [--rounds N] [--json FILE]: installs what is compared, builds the package, measures. No other load, if it can be helped.
set -eu
cd "$(dirname "$0")"
npm ci --ignore-scripts --omit=optional --no-audit --no-fund --silent
KEYFALL_WASM=required node ../../node/build.js
exec node bench.js "$@"
