#!/bin/sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../python/venv.sh"
venv aiokafka aiokafka==0.14.0 async-timeout==5.0.1 packaging==26.4 typing_extensions==4.16.0
