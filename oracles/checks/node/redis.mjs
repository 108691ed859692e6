// keyfall's slot function beside ioredis and a running cluster of three nodes, REDIS_PORTS: the nodes' own slots, and commands over
// keys that it groups.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const node = createRequire(new URL("../../../node/package.json", import.meta.url));
const { groupBySlot, slot } = node("./ioredis.js");
const Redis = node("ioredis");

const cluster = new Redis.Cluster(process.env.REDIS_PORTS.split(",").map((port) => ({ host: "127.0.0.1", port: Number(port) })));
await new Promise((resolve) => cluster.once("ready", resolve));
let passed = 0;
const keys = Array.from({ length: 300 }, (_, i) => `{user:${i % 40}}:${i}`);
for (const key of [...keys, "foo{}{bar}", "a{}b{c}", "{}", "", "ключ", Buffer.of(0, 255, 123, 1, 125)]) {
  const [any] = cluster.nodes("master");
  assert.equal(await any.cluster("KEYSLOT", key), slot(key), `the slot of ${key}`);
}
passed++;
await Promise.all(keys.map((key) => cluster.set(key, key)));
const groups = [...groupBySlot(keys).values()];
assert.equal(groups.length, 40);
for (const group of groups) assert.deepEqual(await cluster.mget(group), group);
passed++;
await assert.rejects(cluster.mget(keys), /CROSSSLOT/);
passed++;
// The server takes the key where its own slot is; ioredis asks another node first, and follows it.
await cluster.set("foo{}{bar}", "found");
assert.equal(await cluster.get("foo{}{bar}"), "found");
passed++;
cluster.disconnect();
console.log(`Redis clients of Node: ${passed} passed, 0 failed`);
