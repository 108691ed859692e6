#!/bin/sh
# build.sh: a program with cgo over the static librdkafka inside the Go module; go.mod pins the version
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=$(mkdir -p "$here/../../target/go/bin" && cd "$here/../../target/go" && pwd)
cd "$here"
GOPATH="$target/path" GOCACHE="$target/cache" GOWORK=off GOTOOLCHAIN=local CGO_ENABLED=1 \
    go build -modcacherw -trimpath -o "$target/bin/confluent-kafka-go" . >&2
