#!/bin/sh
# guard.sh DATA COMMAND...: runs COMMAND until standard input is closed, then stops it and removes the folder DATA.
#
# Whoever started this holds the other end of standard input. The kernel closes it when that process ends, whatever ended
# it, so that no broker is left behind even by a kill -9. Must be started in a session of its own: it ends its whole
# process group.
data=$1
shift

exec 3<&0
"$@" 3<&- </dev/null &
broker=$!
{
    read -r _ <&3
    kill -TERM "$broker"
    sleep 20
    kill -KILL "$broker"
} 2>/dev/null &

wait "$broker"
rm -rf "$data"
kill -KILL 0
