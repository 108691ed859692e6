#!/bin/sh
# build.sh: node-rdkafka with the librdkafka inside it, compiled against the Node headers of NODEDIR (default /usr), and
# mock.c over that librdkafka.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../node/npm.sh"
npmci node-rdkafka

cd "$here/../../target/node/node-rdkafka"
module=node_modules/node-rdkafka
if [ ! -f "$module/.built" ]; then
    # node-gyp configures librdkafka while it builds, which fails with more than one job: hence first.
    (cd "$module" && node util/configure >&2)
    (cd "$module" && npm_config_nodedir="${NODEDIR:-/usr}" nice -n 10 node ../node-gyp/bin/node-gyp.js rebuild --jobs 2 >&2)
    touch "$module/.built"
fi
if [ ! -f mock ] || [ "$here/mock.c" -nt mock ]; then
    "${CC:-cc}" -O1 -Wall -o mock "$here/mock.c" "-I$module/deps/librdkafka/src" "-L$module/build/deps" -lrdkafka \
        -Wl,-rpath,"\$ORIGIN/$module/build/deps"
fi
