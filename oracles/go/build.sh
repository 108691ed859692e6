# Sourced by a build.sh that has set $here (a folder two below oracles/).
# gobuild NAME [go build arguments]: the module in $here as oracles/target/go/bin/NAME; modules and cache stay in target/go.
gobuild() {
    name=$1
    shift
    target=$(mkdir -p "$here/../../target/go/bin" && cd "$here/../../target/go" && pwd)
    (cd "$here" && GOPATH="$target/path" GOCACHE="$target/cache" GOWORK=off GOTOOLCHAIN=local CGO_ENABLED=0 \
        go build -modcacherw -trimpath -o "$target/bin/$name" "$@" . >&2)
}
