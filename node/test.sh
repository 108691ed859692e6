#!/bin/sh
# Builds the addon and WebAssembly and runs the tests and every vector through both, and through WebAssembly in a page in headless
# Chromium. What is missing of Debian's packages it installs. KEYFALL_VECTORS names another folder of vector files.
set -eu
cd "$(dirname "$0")"

install() { apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=300 "$@" >&2; }
# debian FILE PACKAGE...: installs the packages unless the file is there.
debian() {
    [ ! -e "$1" ] || return 0
    shift
    command -v apt-get >/dev/null || { echo "no $* here, and no apt-get to install them" >&2; exit 1; }
    [ "$(id -u)" -eq 0 ] || { echo "no $* here, and only root may install them" >&2; exit 1; }
    install "$@" || { apt-get update -q >&2; install "$@"; }
}

npm ci --ignore-scripts --omit=optional --no-audit --no-fund --silent

# Rust for WebAssembly.
debian /usr/lib/rustlib/src/rust/library/std rustc-web cargo-web rust-web-src lld
debian /usr/bin/chromium-headless-shell chromium-headless-shell
KEYFALL_WASM=required
export KEYFALL_WASM
npm run --silent build
node cli/build.js

KEYFALL_COUNTS=$(mktemp)
export KEYFALL_COUNTS
status=0
npm run --silent test || status=$?
# The same tests through WebAssembly, but those of the package and of types, which are the same.
KEYFALL_ENGINE=wasm node --expose-gc --test --test-reporter=spec test/vectors.test.js test/placer.test.js test/column.test.js \
    test/audit.test.js test/worker.test.js || status=$?
node test/browser.js || status=$?
cat "$KEYFALL_COUNTS"
rm -f "$KEYFALL_COUNTS"
exit $status
