// The partitioners of kafkajs, called as its producer calls them. In 1.x the default is what 2.x calls legacy.
import { count, each, observe, packages, placed, plain, rejected, serve } from "../../node/oracle-helper.mjs";

const name = `kafkajs-${process.argv[2]}`;
const require = packages("kafkajs");
const { Kafka, Partitioners, logLevel } = require(name);
const legacy = Partitioners.LegacyPartitioner ? "legacy" : "default";
const java = legacy === "legacy" ? "default" : "defaultJava";

function scheme(partitioner, folder) {
  const partition = partitioner();
  const murmur2 = require(`${name}/src/producer/partitioners/${folder}/murmur2`);
  return each(async (params, key) => {
    const partitionMetadata = metadata(count(params, 100_000));
    const message = { key: plain(key), value: "" };
    const outcome = await observe(message.key, () => partition({ topic: "t", partitionMetadata, message }));
    return outcome.outcome === "placed" ? placed(outcome.place, murmur2(message.key)) : outcome;
  });
}

let known = [];
function metadata(partitions) {
  if (known.length !== partitions) {
    known = Array.from({ length: partitions }, (_, partitionId) => ({ partitionId, leader: 1 }));
  }
  return known;
}

// A producer with default settings. A partition's part of a send is one batch, which must not be over 1 MiB.
function producer(createPartitioner) {
  let connected;
  async function connect() {
    const made = new Kafka({ brokers: [process.env.KAFKA_BOOTSTRAP], logLevel: logLevel.ERROR }).producer({ createPartitioner });
    await made.connect();
    return made;
  }
  return async (topic, records) => {
    connected ??= connect();
    const client = await connected;
    for (const batch of batches(records)) {
      try {
        await client.send({ topic, messages: batch });
      } catch (error) {
        const failed = batch.length === 1 && error.type === "MESSAGE_TOO_LARGE" ? rejected(error)
          : { outcome: "error", why: `delivery: ${error.message}` };
        batch.forEach((record) => { record.failed = failed; });
      }
    }
  };
}

function* batches(records) {
  let batch = [];
  let size = 0;
  for (const record of records) {
    const bytes = record.value.length + (record.key === null ? 0 : Buffer.byteLength(record.key));
    if (size + bytes > 500_000 && batch.length > 0) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(record);
    size += bytes;
  }
  yield batch;
}

const schemes = {};
const producers = {};
function add(name, partitioner, folder) {
  schemes[name] = scheme(partitioner, folder);
  producers[name] = producer(partitioner);
}
add("kafka/kafkajs-legacy", Partitioners.LegacyPartitioner ?? Partitioners.DefaultPartitioner, legacy);
if (Partitioners.JavaCompatiblePartitioner) {
  add("kafka/kafkajs", Partitioners.JavaCompatiblePartitioner, java);
}
serve("kafkajs", require(`${name}/package.json`).version, schemes, producers);
