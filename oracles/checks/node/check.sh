#!/bin/sh
# check.sh [all]: the Node package's partitioners and slot function inside the real clients, against a running broker and cluster.
# With all, the clients over librdkafka are built too (two minutes of CPU each).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
oracles=$here/../..
node=$oracles/../node

[ -d "$node/node_modules/kafkajs" ] || (cd "$node" && npm ci --ignore-scripts --omit=optional --no-audit --no-fund --silent)
(cd "$node" && node build.js native vectors)
if [ "${1:-}" = all ]; then
    sh "$oracles/clients/node-rdkafka/build.sh"
    sh "$here/confluent.sh"
fi
sh "$oracles/servers/kafka/build.sh"
python3 "$oracles/servers/kafka/broker.py" node --import "$node/test/with-resolvers.mjs" "$here/kafka.mjs"
sh "$oracles/servers/redis/build.sh" redis-7.0.15 cluster
python3 "$here/redis.py" node "$here/redis.mjs"
