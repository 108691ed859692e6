# Sourced by a build.sh that has set $here (a folder two below oracles/).
# cargobuild PACKAGE: a package of the workspace beside this file as oracles/target/rust/release/PACKAGE.
cargobuild() {
    cargo build --quiet --locked --release --package "$1" --manifest-path "$here/../../rust/Cargo.toml" \
        --target-dir "$here/../../target/rust" >&2
}
