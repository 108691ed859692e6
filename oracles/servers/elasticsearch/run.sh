#!/bin/sh
# run.sh elasticsearch|opensearch VERSION [MODE]: the adapter, with a node of its own for as long as it runs.
set -eu
exec "${PYTHON:-python3}" "$(dirname "$0")/adapter.py" "$@"
