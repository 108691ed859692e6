#!/bin/sh
# Writes examples/orders.jsonl and examples/orders.truth.jsonl anew. See README.md.
set -eu
cd "$(dirname "$0")"

command -v kcat >/dev/null || {
    echo "make_example.sh needs kcat (Debian: apt-get install kcat)" >&2
    exit 1
}
sh build.sh

venv=../../target/venv/kafka-broker
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check confluent-kafka==2.16.1

exec "$venv/bin/python" make_example.py ../../../examples
