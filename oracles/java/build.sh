#!/bin/sh
# build.sh MODULE SOURCE GROUP:ARTIFACT:VERSION...: compiles oracles/MODULE and puts the artifacts, with all they need at
# run time, into target/java/lib/SOURCE. Does nothing where nothing changed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
module=$1
source=$2
shift 2

out=$root/target/java
mkdir -p "$out/lib"
if [ -z "${ORACLES_LOCKED:-}" ] && command -v flock >/dev/null; then
    ORACLES_LOCKED=1
    export ORACLES_LOCKED
    exec flock "$out/lock" sh "$0" "$module" "$source" "$@"
fi

JAVA_HOME=$(sh "$here/jdk.sh" 17)
MAVEN_OPTS="-Xmx512m ${MAVEN_OPTS:-}"
export JAVA_HOME MAVEN_OPTS

stamp=$out/build/$(basename "$module").stamp
if [ ! -f "$stamp" ] ||
    [ -n "$(find "$root/pom.xml" "$here" "$root/$module" \( -name '*.java' -o -name '*.xml' \) -newer "$stamp")" ]; then
    mvn -q -B -Dstyle.color=never -f "$root/pom.xml" -pl "$module" -am compile >&2
    touch "$stamp"
fi

if [ ! -f "$out/lib/$source/.complete" ]; then
    rm -rf "$out/lib/$source"
    for artifact in "$@"; do
        version=${artifact##*:}
        name=${artifact%:*}
        mvn -q -B -Dstyle.color=never -f "$here/lib.pom.xml" -Dlib.group="${name%:*}" -Dlib.artifact="${name#*:}" -Dlib.version="$version" \
            -Dlib.dir="$out/lib/$source" dependency:copy-dependencies >&2
    done
    touch "$out/lib/$source/.complete"
fi
