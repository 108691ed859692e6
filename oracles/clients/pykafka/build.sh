#!/bin/sh
# pykafka is served as source alone
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../python/venv.sh"
VENV_PIP=
venv pykafka pykafka==2.8.0 kazoo==2.5.0 six==1.17.0 tabulate==0.10.0
