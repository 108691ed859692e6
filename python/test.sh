#!/bin/sh
# Builds the wheel, installs it into .venv, runs its tests and every vector. KEYFALL_VECTORS names another folder of vector
# files, PYTHON another interpreter (3.11 or later).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
venv=$root/.venv
wheels=${CARGO_TARGET_DIR:-$root/target}/wheels

[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
pip="$venv/bin/python -m pip --quiet --disable-pip-version-check"
$pip install --only-binary :all: -r "$here/requirements.txt"

rm -rf "$wheels"
"$venv/bin/maturin" build --quiet --release --locked --compatibility linux --interpreter "$venv/bin/python" \
    --manifest-path "$here/Cargo.toml" --out "$wheels"
$pip install --no-index --no-deps --force-reinstall "$wheels"/keyfall-*.whl

cd "$here"
# The stubs say what the module has.
"$venv/bin/python" -m mypy.stubtest keyfall._keyfall
exec "$venv/bin/pytest" -q
