#!/bin/sh
# build.sh jedis|lettuce|redisson VERSION: compiles the adapter and fetches the client.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
case $1 in
jedis) artifact=redis.clients:jedis ;;
lettuce) artifact=io.lettuce:lettuce-core ;;
redisson) artifact=org.redisson:redisson ;;
esac
exec sh "$here/../../java/build.sh" clients/redis-java "$1-$2" "$artifact:$2"
