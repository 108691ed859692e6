#!/bin/sh
# Builds and installs the C library as a packager does, and runs its tests and every vector through what was installed:
# as C11 with the shared library, as C++17 with the static one, and once more under AddressSanitizer. Then consumers, by
# CMake and by pkg-config, in empty folders. KEYFALL_VECTORS names another folder of vector files; with KEYFALL_VALGRIND set
# the tests run under valgrind too. That the header is current is checked by `cargo xtask gen --check`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
cd "$root"

out=${CARGO_TARGET_DIR:-$root/target}/ffi-c
prefix=$out/installed
rm -rf "$prefix" "$out/consumers"
mkdir -p "$out"
cmake -S "$here" -B "$out/build" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib >"$out/cmake.log"
cmake --build "$out/build" >>"$out/cmake.log"
cmake --install "$out/build" >>"$out/cmake.log"

strict="-O1 -g -Wall -Wextra -Werror -pedantic -I $prefix/include"
system="-lpthread -ldl -lm"
for test in calls vectors; do
    # shellcheck disable=SC2086
    ${CC:-gcc} -std=c11 $strict "$here/tests/$test.c" -o "$out/$test-c" -L "$prefix/lib" -lkeyfall -lpthread "-Wl,-rpath,$prefix/lib"
    # shellcheck disable=SC2086
    ${CXX:-g++} -std=c++17 $strict -x c++ "$here/tests/$test.c" -x none -o "$out/$test-cpp" "$prefix/lib/libkeyfall.a" $system
    # Sees what the tests do with the library's memory, and the library with theirs at each call's edge.
    # shellcheck disable=SC2086
    ${CC:-gcc} -std=c11 -fsanitize=address,undefined -fno-sanitize-recover $strict "$here/tests/$test.c" -o "$out/$test-asan" "$prefix/lib/libkeyfall.a" $system
done

python3 "$here/tests/cases.py" "${KEYFALL_VECTORS:-$root/vectors}" >"$out/cases.tsv"
# One case of a hundred, where each takes long.
awk 'NR % 100 == 1' "$out/cases.tsv" >"$out/cases-few.tsv"
status=0
"$out/calls-c" || status=1
"$out/calls-cpp" || status=1
"$out/calls-asan" || status=1
"$out/vectors-asan" "AddressSanitizer" "$out/cases-few.tsv" >"$out/asan.log" || { cat "$out/asan.log"; status=1; }
if [ -n "${KEYFALL_VALGRIND:-}" ]; then
    for test in calls "vectors valgrind $out/cases-few.tsv"; do
        # shellcheck disable=SC2086
        set -- $test
        name=$1
        shift
        valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,possible "$out/$name-c" "$@" >"$out/valgrind.log" || {
            cat "$out/valgrind.log"
            status=1
        }
    done
fi

# Somebody else's project, in a folder of its own, with nothing of this one but what was installed.
mkdir -p "$out/consumers/cmake" "$out/consumers/pkg-config"
cp "$here/examples/place.c" "$out/consumers/cmake"
cp "$here/examples/place.c" "$out/consumers/pkg-config"
cat >"$out/consumers/cmake/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(consumer C)
find_package(keyfall 0.1 REQUIRED)
add_executable(shared place.c)
target_link_libraries(shared PRIVATE keyfall::keyfall)
add_executable(static place.c)
target_link_libraries(static PRIVATE keyfall::static)
END
(
    cd "$out/consumers/cmake"
    { cmake -B build -DCMAKE_PREFIX_PATH="$prefix" && cmake --build build; } >log 2>&1 || { cat log; exit 1; }
    cd ../pkg-config
    export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
    # shellcheck disable=SC2046
    ${CC:-gcc} place.c -o shared $(pkg-config --cflags --libs keyfall) "-Wl,-rpath,$prefix/lib"
) || status=1
expected='user:42: partition 1
row 0: status 0, partition 1
row 1: status 1, partition 0
row 2: status 0, partition 9
{user:1}:cart: slot 10778'
for consumer in cmake/build/shared cmake/build/static pkg-config/shared; do
    got=$("$out/consumers/$consumer") || status=1
    if [ "$got" != "$expected" ]; then
        printf '%s prints:\n%s\nexpected:\n%s\n' "$consumer" "$got" "$expected" >&2
        status=1
    fi
done

size=$(wc -c <"$prefix/lib/libkeyfall.so")
echo "libkeyfall.so has $size bytes"
if [ "$size" -ge 1000000 ]; then
    echo "that is over 1 MB: see \`nm --size-sort\` of a build with strip=none for what grew" >&2
    status=1
fi

"$out/vectors-c" C "$out/cases.tsv" || status=1
"$out/vectors-cpp" C++ "$out/cases.tsv" || status=1
exit $status
