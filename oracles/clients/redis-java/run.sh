#!/bin/sh
# run.sh jedis|lettuce|redisson VERSION
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../../java/run.sh" 17 clients/redis-java "$1-$2" oracle.redis.RedisJava "$1" "$2"
