#!/bin/sh
# Builds the addon, runs its tests and every vector. KEYFALL_VECTORS names another folder of vector files.
set -eu
cd "$(dirname "$0")"

# There are no dependencies yet: this checks that the lockfile says so too.
npm ci --ignore-scripts --no-audit --no-fund --silent
npm run --silent build

KEYFALL_COUNTS=$(mktemp)
export KEYFALL_COUNTS
status=0
npm run --silent test || status=$?
cat "$KEYFALL_COUNTS"
rm -f "$KEYFALL_COUNTS"
exit $status
