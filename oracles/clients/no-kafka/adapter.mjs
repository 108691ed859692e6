// The partitioners of no-kafka, called as its producer calls them: the key as the user has it, a string or a Buffer.
import { count, each, observe, packages, plain, serve } from "../../node/oracle-helper.mjs";

const require = packages("no-kafka");
const { DefaultPartitioner, HashCRC32Partitioner } = require("no-kafka");

function scheme(partitioner) {
  return each((params, key) => {
    const partitions = Array(count(params, 100_000));
    const message = { key: plain(key), value: "" };
    return observe(message.key, () => partitioner.partition("t", partitions, message));
  });
}

serve("no-kafka", require("no-kafka/package.json").version, {
  "kafka/no-kafka": scheme(new DefaultPartitioner()),
  "kafka/no-kafka-crc32": scheme(new HashCRC32Partitioner()),
});
