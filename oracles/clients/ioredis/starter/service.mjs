// What is asked: the name under which the service is reported, the function that its client has (`keyfall schemes` lists
// them), and its configuration: the redisOptions of its Cluster. A keyPrefix is a part of every key. Put your service's own
// here.
export const name = "ioredis-service";
export const scheme = "redis/ioredis";
export const redisOptions = {};
