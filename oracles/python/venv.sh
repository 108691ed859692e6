# Sourced by a build.sh that has set $here (a folder two below oracles/).
# venv NAME PACKAGE==VERSION...: oracles/target/venv/NAME with exactly these, wheels only unless VENV_PIP is set empty;
# nothing to do when it is there.
venv() {
    name=$1
    shift
    dir="$here/../../target/venv/$name"
    if [ "$(cat "$dir/installed" 2>/dev/null)" = "$*" ]; then
        return 0
    fi
    rm -rf "$dir"
    "${PYTHON:-python3}" -m venv "$dir" >&2
    "$dir/bin/python" -m pip install --quiet --disable-pip-version-check ${VENV_PIP---only-binary :all:} "$@" >&2
    echo "$*" >"$dir/installed"
}
