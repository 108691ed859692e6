# Sourced by a build.sh that has set $here (a folder two below oracles/).
# npmci NAME: what package.json and package-lock.json in $here pin, into oracles/target/node/NAME; no package runs a script.
# Nothing to do when it is there.
npmci() {
    dir="$here/../../target/node/$1"
    if [ -f "$dir/.complete" ] && cmp -s "$here/package.json" "$dir/package.json" &&
        cmp -s "$here/package-lock.json" "$dir/package-lock.json"; then
        return 0
    fi
    rm -rf "$dir"
    mkdir -p "$dir"
    cp "$here/package.json" "$here/package-lock.json" "$dir"
    (cd "$dir" && npm ci --ignore-scripts --omit=optional --no-audit --no-fund --loglevel=error >&2)
    touch "$dir/.complete"
}
