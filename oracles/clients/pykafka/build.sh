#!/bin/sh
# pykafka is served as source alone; what it is built with is pinned too
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../python/venv.sh"
VENV_PIP=
# Older pips know the first of these, newer ones the second.
PIP_CONSTRAINT=$here/build-constraints.txt
PIP_BUILD_CONSTRAINT=$PIP_CONSTRAINT
export PIP_CONSTRAINT PIP_BUILD_CONSTRAINT
venv pykafka pykafka==2.8.0 kazoo==2.5.0 six==1.17.0 tabulate==0.10.0
