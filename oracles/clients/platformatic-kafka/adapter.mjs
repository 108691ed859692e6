// The producer of @platformatic/kafka, up to the point where it connects to a broker. Every partition of the topic has a
// leader of its own, so the leader that the producer asks for is the partition it chose. A string goes through the client's
// stringSerializers.
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { count, each, observe, packages, plain, serve } from "../../node/oracle-helper.mjs";

const require = packages("platformatic-kafka");
const dist = pathToFileURL(`${dirname(require.resolve("@platformatic/kafka"))}/`);
const { Producer, compatibilityPartitioner, stringSerializers } = await import(new URL("index.js", dist));
const { kGetConnection, kMetadata } = await import(new URL("clients/base/base.js", dist));

class Chosen extends Error {}

class Asked extends Producer {
  topology(partitionsCount) {
    if (this.partitionsCount !== partitionsCount) {
      this.partitionsCount = partitionsCount;
      const partitions = Array.from({ length: partitionsCount }, (_, leader) => ({ leader }));
      this.metadata = { topics: new Map([["t", { partitionsCount, partitions }]]), brokers: { get: (leader) => leader } };
    }
  }

  [kMetadata](_, callback) {
    callback(null, this.metadata);
  }

  [kGetConnection](leader, callback) {
    callback(Object.assign(new Chosen(), { leader }));
  }

  partition(key) {
    return new Promise((resolve, reject) => {
      this.send({ messages: [{ topic: "t", key: key ?? undefined, value: undefined }] }, (error) => {
        const chosen = error?.errors?.find((each) => each instanceof Chosen) ?? error;
        if (chosen instanceof Chosen) {
          resolve(chosen.leader);
        } else {
          reject(error ?? new Error("the producer asked for no leader"));
        }
      });
    });
  }
}

function scheme(partitioner) {
  const options = { clientId: "oracle", bootstrapBrokers: ["127.0.0.1:9"], retries: 0, ...(partitioner ? { partitioner } : {}) };
  const bytes = new Asked(options);
  const strings = new Asked({ ...options, serializers: stringSerializers });
  return each((params, key) => {
    const partitions = count(params, 100_000);
    key = plain(key);
    const producer = typeof key === "string" ? strings : bytes;
    producer.topology(partitions);
    return observe(key, () => producer.partition(key));
  });
}

serve("@platformatic/kafka", require(new URL("../package.json", dist).pathname).version, {
  "kafka/platformatic": scheme(),
  "kafka/platformatic-compatibility": scheme(compatibilityPartitioner),
});
