// node-rdkafka's producer against librdkafka's mock cluster: the delivery report says where a record went, and with which
// key. A string stays a string, bytes are a Buffer.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { count, decode, observed, often, packages, plain, rejected, REPEATS, serve } from "../../node/oracle-helper.mjs";

const require = packages("node-rdkafka");
const kafka = require("node-rdkafka");

const MOST_MOCKED = 10_000;
const STICKY = 11; // ms; longer than the default sticky.partitioning.linger.ms

const mock = spawn(fileURLToPath(new URL("../../target/node/node-rdkafka/mock", import.meta.url)), {
  stdio: ["pipe", "pipe", "inherit"],
});
const lines = createInterface({ input: mock.stdout })[Symbol.asyncIterator]();
const line = async () => {
  const { value, done } = await lines.next();
  if (done) {
    throw new Error("the mock cluster is gone");
  }
  return value;
};
const bootstrap = await line();

const topics = new Set();
async function topic(partitions) {
  const name = `t${partitions}`;
  if (!topics.has(name)) {
    mock.stdin.write(`${name} ${partitions}\n`);
    const code = await line();
    if (code !== "0") {
      throw new Error(`rd_kafka_mock_topic_create: ${code}`);
    }
    topics.add(name);
  }
  return name;
}

const producers = new Map();
function producer(partitioner) {
  if (!producers.has(partitioner)) {
    producers.set(partitioner, new Promise((resolve, reject) => {
      const made = new kafka.Producer({ "metadata.broker.list": bootstrap, "linger.ms": 0, dr_cb: true }, { partitioner });
      made.on("delivery-report", (error, report) => report.opaque(error, report));
      made.on("event.error", (error) => console.error(error));
      made.setPollInterval(5);
      made.connect({}, (error) => (error ? reject(error) : resolve(made)));
    }));
  }
  return producers.get(partitioner);
}

// Where each key went, one record each: a partition, or an outcome.
async function produce(client, name, keys) {
  return Promise.all(keys.map((key) => new Promise((resolve) => {
    const report = (error, delivered) => {
      const sent = key === null ? null : Buffer.from(key);
      const got = delivered.key === null || delivered.key === undefined ? null : Buffer.from(delivered.key);
      if (error) {
        resolve(rejected(error));
      } else if (sent === null ? got !== null : got === null || !sent.equals(got)) {
        resolve({ outcome: "error", why: `on the wire the key was ${got === null ? "null" : `0x${got.toString("hex")}`}` });
      } else {
        resolve(delivered.partition);
      }
    };
    const send = () => {
      try {
        client.produce(name, null, Buffer.from("v"), key, null, report);
      } catch (error) {
        if (error.code === kafka.CODES.ERRORS.ERR__QUEUE_FULL) {
          setTimeout(send, 10);
        } else {
          resolve(rejected(error));
        }
      }
    };
    send();
  })));
}

function scheme(partitioner) {
  return async (params, keys) => {
    const partitions = count(params, MOST_MOCKED);
    const outcomes = keys.map((key) => {
      try {
        return { key: plain(decode(key)) };
      } catch (error) {
        return { outcome: "error", why: error.message };
      }
    });
    const name = await topic(partitions);
    const client = await producer(partitioner);

    let asked = outcomes.filter((outcome) => "key" in outcome).map((outcome) => ({ outcome, places: [] }));
    for (let turn = 0; turn < REPEATS && asked.length > 0; turn++) {
      const places = await produce(client, name, asked.map(({ outcome }) => outcome.key));
      asked = asked.filter(({ outcome, places: seen }, index) => {
        const place = places[index];
        if (typeof place === "number") {
          seen.push(place);
          if (place === seen[0] && (partitioner === "random" || often(outcome.key)) && turn < REPEATS - 1) {
            return true;
          }
        }
        delete outcome.key;
        Object.assign(outcome, typeof place === "number" ? observed(seen) : place);
        return false;
      });
      await sleep(STICKY);
    }
    return outcomes;
  };
}

const schemes = {};
for (const name of ["random", "consistent", "consistent_random", "murmur2", "murmur2_random", "fnv1a", "fnv1a_random"]) {
  schemes[`kafka/librdkafka-${name.replaceAll("_", "-")}`] = scheme(name);
}
await serve("node-rdkafka", require("node-rdkafka/package.json").version.replace(/^v/, ""), schemes);
