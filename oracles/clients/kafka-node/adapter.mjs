// kafka-node's keyed partitioner through the producer's own buildPayloads, which hands over the key as the user has it: a
// string or a Buffer. No broker is reached.
import { count, each, observe, packages, plain, serve } from "../../node/oracle-helper.mjs";

const require = packages("kafka-node");
const BaseProducer = require("kafka-node/lib/baseProducer.js");
const { KeyedPartitioner } = require("kafka-node/lib/partitioner.js");

const producer = { partitioner: new KeyedPartitioner() };
let known = [];
function metadata(partitions) {
  if (known.length !== partitions) {
    known = Array.from({ length: partitions }, (_, partition) => ({ topic: "t", partition, leader: 1 }));
  }
  return { t: known };
}

serve("kafka-node", require("kafka-node/package.json").version, {
  "kafka/kafka-node-keyed": each((params, key) => {
    const topics = metadata(count(params, 100_000));
    key = plain(key);
    return observe(key, () => {
      const payloads = [{ topic: "t", messages: "", ...(key === null ? {} : { key }) }];
      const [request] = BaseProducer.prototype.buildPayloads.call(producer, payloads, topics);
      return request.partition;
    });
  }),
});
