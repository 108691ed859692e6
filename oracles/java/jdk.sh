#!/bin/sh
# jdk.sh VERSION_MIN: prints the home of the lowest JDK with at least this major version, found by its `release` file.
set -eu
want=$1
java=$(command -v java || true)
[ -z "$java" ] || java=$(dirname "$(dirname "$(readlink -f "$java")")")

best=
best_major=
for home in ${JAVA_HOME:+"$JAVA_HOME"} ${JAVA_HOME:+"$JAVA_HOME"/../*} ${java:+"$java"} ${java:+"$java"/../*} /usr/lib/jvm/*; do
    [ -f "$home/release" ] && [ -x "$home/bin/java" ] && [ -x "$home/bin/javac" ] || continue
    major=$(sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' "$home/release")
    [ "${major:-0}" -ge "$want" ] || continue
    if [ -z "$best" ] || [ "$major" -lt "$best_major" ]; then
        best=$home
        best_major=$major
    fi
done

if [ -z "$best" ]; then
    echo "jdk.sh: no JDK of version $want or later found: set JAVA_HOME to one" >&2
    exit 1
fi
(cd "$best" && pwd -P)
