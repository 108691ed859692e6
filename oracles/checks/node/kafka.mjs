// keyfall's partitioners inside the real clients, writing to the broker at KAFKA_BOOTSTRAP: each record must lie where the golden
// vectors of the scheme say, which the systems themselves computed. `node kafka.mjs`; with `rdkafka` also the clients over
// librdkafka that are built, set as docs/node.md says.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";

const node = createRequire(new URL("../../../node/package.json", import.meta.url));
const { vectors } = node("./index.js");
const { Kafka, logLevel } = node("kafkajs");
const kafkajs = node("./kafkajs.js");
const platformatic = node("./platformatic.js");

const brokers = [process.env.KAFKA_BOOTSTRAP];
const kafka = new Kafka({ brokers, logLevel: logLevel.ERROR });
const admin = kafka.admin();
let passed = 0;

// Keys that are bytes or text, with the place that a vector gives each, among so many partitions. As bytes all clients write them.
function cases(scheme, partitions) {
  const bytes = new Map();
  for (const { key, params, outcome, place } of vectors(scheme).cases) {
    if (outcome !== "placed" || key === null || params.partitions !== partitions || Object.keys(params).length > 1) continue;
    const value = "hex" in key ? Buffer.from(key.hex, "hex") : "text" in key ? Buffer.from(key.text) : undefined;
    if (value !== undefined && value.length < 10_000) bytes.set(value.toString("hex"), { key: value, place });
  }
  return [...bytes.values()];
}

async function topic(name, numPartitions) {
  await admin.createTopics({ waitForLeaders: true, topics: [{ topic: name, numPartitions, replicationFactor: 1 }] });
}

// Partition by key of every record of a topic.
async function found(name, count) {
  const consumer = kafka.consumer({ groupId: `check-${name}`, maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topic: name, fromBeginning: true });
  const places = [];
  await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${name}: ${places.length} of ${count} records within 60 s`)), 60_000);
    const eachMessage = async ({ partition, message }) => {
      places.push([message.key, partition]);
      if (places.length === count) {
        clearTimeout(late);
        resolve();
      }
    };
    consumer.run({ eachMessage }).catch(reject);
  });
  await consumer.disconnect();
  return places;
}

async function check(client, scheme, partitions, send) {
  const name = `${client}-${scheme}-${partitions}`.replaceAll(/[^a-z0-9-]/g, "-");
  const keyed = cases(scheme, partitions);
  assert.ok(keyed.length > 10, `${scheme} has vectors of ${partitions} partitions`);
  await topic(name, partitions);
  await send(name, keyed.map(({ key }) => key));
  const expected = new Map(keyed.map(({ key, place }) => [key.toString("hex"), place]));
  for (const [key, partition] of await found(name, keyed.length)) {
    assert.equal(partition, expected.get(key.toString("hex")), `${client}, ${scheme}: the partition of ${key.toString("hex")}`);
  }
  passed++;
  console.log(`${client}: ${keyed.length} records of ${scheme} in ${partitions} partitions are where its vectors say`);
}

async function withKafkajs() {
  for (const [scheme, partitions] of [["kafka/java", 12], ["kafka/java", 7], ["kafka/librdkafka-consistent-random", 12], ["kafka/sarama-hash", 12]]) {
    const producer = kafka.producer({ createPartitioner: () => kafkajs.createPartitioner(scheme) });
    await producer.connect();
    await check("kafkajs", scheme, partitions, (name, keys) => producer.send({ topic: name, messages: keys.map((key) => ({ key, value: "v" })) }));
    await producer.disconnect();
  }
  // Without a key: every partition in turns.
  const producer = kafka.producer({ createPartitioner: kafkajs.createPartitioner });
  await producer.connect();
  await topic("kafkajs-null", 6);
  await producer.send({ topic: "kafkajs-null", messages: Array.from({ length: 24 }, () => ({ key: null, value: "v" })) });
  const counts = Object.groupBy ? Object.groupBy(await found("kafkajs-null", 24), ([, partition]) => partition)
    : (await found("kafkajs-null", 24)).reduce((all, each) => ({ ...all, [each[1]]: [...(all[each[1]] ?? []), each] }), {});
  assert.deepEqual(Object.values(counts).map(({ length }) => length), [4, 4, 4, 4, 4, 4]);
  passed++;
  await producer.disconnect();
}

async function withPlatformatic() {
  const { Producer } = await import(new URL("../../../node/node_modules/@platformatic/kafka/dist/index.js", import.meta.url));
  for (const [scheme, partitions] of [["kafka/java", 12], ["kafka/java", 7]]) {
    const producer = new Producer({ clientId: "check", bootstrapBrokers: brokers, partitioner: platformatic.createPartitioner(scheme) });
    await check("@platformatic/kafka", scheme, partitions, async (name, keys) => {
      await producer.metadata({ topics: [name] });
      await producer.send({ messages: keys.map((key) => ({ topic: name, key, value: Buffer.from("v") })) });
    });
    await producer.close();
  }
  // A topic that it knows nothing of: an error that says what to do, and no record.
  const producer = new Producer({ clientId: "check", bootstrapBrokers: brokers, partitioner: platformatic.createPartitioner() });
  await topic("platformatic-unknown", 3);
  await assert.rejects(async () => producer.send({ messages: [{ topic: "platformatic-unknown", key: Buffer.from("a"), value: Buffer.from("v") }] }),
    /await producer.metadata\(\{ topics: \['platformatic-unknown'\] \}\)/);
  passed++;
  await producer.close();
}

// A producer of the API that both clients over librdkafka have: where each key goes.
async function librdkafka(client, module) {
  const { Producer } = module;
  const made = (settings, topicSettings) => new Promise((resolve, reject) => {
    const producer = new Producer({ "metadata.broker.list": brokers[0], "linger.ms": 0, dr_cb: true, ...settings }, topicSettings);
    producer.on("delivery-report", (error, report) => report.opaque(error, report));
    producer.setPollInterval(5);
    producer.connect({}, (error) => (error ? reject(error) : resolve(producer)));
  });
  const put = (producer, name, key) => new Promise((resolve, reject) => {
    producer.produce(name, null, Buffer.from("v"), key, null, (error, report) => (error ? reject(error) : resolve(report)));
  });
  for (const [scheme, partitioner] of [["kafka/librdkafka-murmur2-random", "murmur2_random"], ["kafka/librdkafka-fnv1a-random", "fnv1a_random"]]) {
    const producer = await made({}, { partitioner });
    await check(client, scheme, 12, async (name, keys) => {
      // An empty Buffer becomes a null key there: as a string it stays.
      await Promise.all(keys.map((key) => put(producer, name, key.length === 0 ? "" : key)));
    });
    await new Promise((resolve) => producer.disconnect(resolve));
  }
  // The traps of docs/node.md.
  const name = `${client}-traps`.replaceAll(/[^a-z0-9-]/g, "-");
  await topic(name, 12);
  const first = await made({ partitioner: "murmur2_random" }, {});
  assert.equal((await put(first, name, "user:42")).partition, 10, "partitioner in the first object is ignored");
  assert.equal(Buffer.from((await put(first, name, "a\0b")).key).toString(), "a", "a string ends at its NUL");
  assert.equal(Buffer.from((await put(first, name, Buffer.from("a\0b"))).key).toString(), "a\0b");
  assert.equal((await put(first, name, Buffer.alloc(0))).key ?? null, null, "an empty Buffer is no key");
  await new Promise((resolve) => first.disconnect(resolve));
  passed++;
  if (module.KafkaJS === undefined) return;
  // The API like kafkajs's has another default, and takes no partitioner of ours.
  const { Kafka: Like, logLevel: levels } = module.KafkaJS;
  const like = new Like({ kafkaJS: { brokers, logLevel: levels.ERROR } });
  for (const [partitioner, partition] of [[undefined, 1], ["consistent_random", 10]]) {
    const producer = like.producer(partitioner ? { partitioner } : {});
    await producer.connect();
    const [sent] = await producer.send({ topic: name, messages: [{ key: "user:42", value: "v" }] });
    assert.equal(sent.partition, partition, `${client}: partitioner ${partitioner}`);
    await producer.disconnect();
  }
  const plugged = async () => like.producer({ kafkaJS: { createPartitioner: kafkajs.createPartitioner } }).connect();
  await assert.rejects(plugged, /createPartitioner.* not supported/);
  passed++;
}

await admin.connect();
await withKafkajs();
await withPlatformatic();
for (const [client, folder] of [["node-rdkafka", "node-rdkafka"], ["@confluentinc/kafka-javascript", "confluent-kafka-javascript"]]) {
  const built = new URL(`../../target/node/${folder}/package.json`, import.meta.url);
  if (existsSync(built)) {
    await librdkafka(client, createRequire(built)(client));
  } else {
    console.log(`${client}: skipped, it is not built`);
  }
}
await admin.disconnect();
console.log(`Kafka clients of Node: ${passed} passed, 0 failed`);
process.exit(0);
