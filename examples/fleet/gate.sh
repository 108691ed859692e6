#!/bin/sh
# The gate of the fleet: gate.sh [FOLDER [SERVICES]]. Each service's client, configured as the service configures it, is held
# against keyfall.toml. The adapters are keyfall's starters with the service's own configuration (SERVICES/NAME) in them;
# they are built in FOLDER. More options for `keyfall verify`: the variable VERIFY.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-build}
services=${2:-$here/services}
mkdir -p "$work"
cd "$work"

adapter() { # SERVICE CLIENT: the client's starter, with the service's configuration instead of its own
    [ -d "$1" ] || keyfall verify --starter "$2" "$1" >/dev/null
    cp -R "$services/$1/." "$1"
}
adapter checkout kafka-clients
adapter billing sarama
adapter inventory kafka-python
adapter web kafkajs
adapter shipping librdkafka

(cd checkout && mvn --quiet --batch-mode -Dstyle.color=never compile >&2)
(cd billing && go build -o adapter .)
(cd inventory && { [ -d venv ] || python3 -m venv venv; } && venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt)
(cd web && npm install --silent --ignore-scripts --no-audit --no-fund >&2)
# shellcheck disable=SC2046
(cd shipping && cc -O2 -o adapter adapter.c oracle.c $(pkg-config --cflags --libs rdkafka jansson))

# shellcheck disable=SC2086
exec keyfall verify --contract "$here/keyfall.toml" --shrink ${VERIFY:-} \
    -- java -Xmx256m -cp 'checkout/target/classes:checkout/target/lib/*' Starter \
    -- billing/adapter \
    -- inventory/venv/bin/python inventory/adapter.py \
    -- node web/adapter.mjs \
    -- shipping/adapter
