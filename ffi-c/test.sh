#!/bin/sh
# Builds the C library and runs its tests and every vector through it: as C11 with the shared library, as C++17 with the
# static one. KEYFALL_VECTORS names another folder of vector files. The header itself is checked by `cargo test`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
cd "$root"

cargo build --quiet --release --locked -p keyfall-ffi
lib=${CARGO_TARGET_DIR:-$root/target}/release
out=${CARGO_TARGET_DIR:-$root/target}/ffi-c
mkdir -p "$out"

strict="-O1 -g -Wall -Wextra -Werror -pedantic -I $here/include"
system="-lpthread -ldl -lm"
for test in calls vectors; do
    # shellcheck disable=SC2086
    ${CC:-gcc} -std=c11 $strict "$here/tests/$test.c" -o "$out/$test-c" -L "$lib" -lkeyfall "-Wl,-rpath,$lib"
    # shellcheck disable=SC2086
    ${CXX:-g++} -std=c++17 $strict -x c++ "$here/tests/$test.c" -x none -o "$out/$test-cpp" "$lib/libkeyfall.a" $system
done

python3 "$here/tests/cases.py" "${KEYFALL_VECTORS:-$root/vectors}" >"$out/cases.tsv"
status=0
"$out/calls-c" || status=1
"$out/calls-cpp" || status=1
"$out/vectors-c" C "$out/cases.tsv" || status=1
"$out/vectors-cpp" C++ "$out/cases.tsv" || status=1
exit $status
