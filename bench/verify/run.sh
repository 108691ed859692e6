#!/bin/sh
# CPU seconds of `keyfall verify` over 100,000 keys: keyfall's own beside those of the adapter, for each starter.
# Usage: sh bench/verify/run.sh [CLIENT...]. Needs GNU time and what the starters need; ci/starters has built them into
# target/starters. Writes to target/bench-verify.
set -eu
cd "$(dirname "$0")/../.."
keys=100000
work=target/bench-verify
mkdir -p "$work"

cargo build --quiet --release --package keyfall
keyfall=$PWD/target/release/keyfall
python3 - $keys >"$work/keys.txt" <<'PYTHON'
import random, sys
source = random.Random(1)
for _ in range(int(sys.argv[1])):
    print("%s:%d" % (source.choice(["user", "order", "customer", "session"]), source.randrange(10**9)))
PYTHON

# run CLIENT SCHEME PARAMS: three rounds; the round with the median share is printed.
run() {
    client=$1
    printf 'version = 1\n[datasets.orders]\nscheme = "%s"\nparams = %s\nfixtures_file = "keys.txt"\n' "$2" "$3" \
        >"$work/keyfall.toml"
    (cd "$work" && "$keyfall" contract lock >/dev/null)
    shift 3
    : >"$work/$client"
    for _ in 1 2 3; do
        # What GNU time says of keyfall has the adapter in it: a process's children count once they have been waited for.
        /usr/bin/time --quiet -f "%U %S" -o "$work/all" \
            "$keyfall" verify --contract "$work/keyfall.toml" --timeout 120s -- \
            /usr/bin/time --quiet -f "%U %S" -o "$work/adapter" "$@" >"$work/out"
        grep -q "$keys passed, 0 failed" "$work/out"
        cat "$work/all" "$work/adapter" | tr '\n' ' ' | awk '{ print $1 + $2 - $3 - $4, $3 + $4 }' >>"$work/$client"
    done
    sort -n "$work/$client" | sed -n 2p | awk -v client="$client" \
        '{ printf "%-16s adapter %6.2f s   keyfall %5.2f s   %5.1f %%\n", client, $2, $1, 100 * $1 / $2 }'
}

[ $# -gt 0 ] || set -- kafka-clients sarama franz-go kafka-go kafka-python confluent-kafka kafkajs ioredis rdkafka librdkafka
for client in "$@"; do
    folder=target/starters/$client
    twelve='{ partitions = 12 }'
    case $client in
    kafka-clients) run "$client" kafka/java "$twelve" java -cp "$folder/target/classes:$folder/target/lib/*" Starter ;;
    sarama) run "$client" kafka/sarama-hash "$twelve" "$folder/adapter" ;;
    franz-go) run "$client" kafka/franz-go "$twelve" "$folder/adapter" ;;
    kafka-go) run "$client" kafka/kafka-go-hash "$twelve" "$folder/adapter" ;;
    kafka-python) run "$client" kafka/kafka-python "$twelve" "$folder/venv/bin/python" "$folder/adapter.py" ;;
    confluent-kafka)
        run "$client" kafka/librdkafka-consistent-random "$twelve" "$folder/venv/bin/python" "$folder/adapter.py" ;;
    kafkajs) run "$client" kafka/kafkajs "$twelve" node "$folder/adapter.mjs" ;;
    ioredis) run "$client" redis/ioredis '{}' node "$folder/adapter.mjs" ;;
    rdkafka) run "$client" kafka/librdkafka-consistent-random "$twelve" "$folder/target/release/adapter" ;;
    librdkafka) run "$client" kafka/librdkafka-consistent-random "$twelve" "$folder/adapter" ;;
    *) echo "no starter $client" >&2; exit 1 ;;
    esac
done | tee "$work/figures"
sort -k3 -n "$work/figures" | tail -n 1 | sed 's/^/slowest: /'
