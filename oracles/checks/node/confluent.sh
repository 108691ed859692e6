#!/bin/sh
# confluent.sh: @confluentinc/kafka-javascript with the librdkafka inside it, compiled against the Node headers of NODEDIR
# (default /usr).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../node/npm.sh"
npmci confluent-kafka-javascript

cd "$here/../../target/node/confluent-kafka-javascript"
module=node_modules/@confluentinc/kafka-javascript
[ ! -f "$module/.built" ] || exit 0
# Both configure and node-gyp call make with as many jobs as there are files.
mkdir -p bin
printf '#!/bin/sh\nexec /usr/bin/make -j2 "$@"\n' >bin/make
chmod +x bin/make
PATH=$PWD/bin:$PATH CKJS_LINKING=dynamic npm_config_nodedir="${NODEDIR:-/usr}"
export PATH CKJS_LINKING npm_config_nodedir
(cd "$module" && node util/configure >&2)
(cd "$module" && nice -n 10 node ../../node-gyp/bin/node-gyp.js rebuild --jobs 2 >&2)
touch "$module/.built"
