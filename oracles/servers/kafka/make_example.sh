#!/bin/sh
# Writes examples/orders.jsonl and examples/orders.truth.jsonl anew. See README.md.
set -eu
cd "$(dirname "$0")"

command -v kcat >/dev/null || {
    echo "make_example.sh needs kcat (Debian: apt-get install kcat)" >&2
    exit 1
}
sh build.sh

exec ../../target/venv/kafka-broker/bin/python make_example.py ../../../examples
