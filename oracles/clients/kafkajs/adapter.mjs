// The partitioners of kafkajs, called as its producer calls them. In 1.x the default is what 2.x calls legacy.
import { count, each, observe, packages, placed, plain, serve } from "../../node/oracle-helper.mjs";

const name = `kafkajs-${process.argv[2]}`;
const require = packages("kafkajs");
const { Partitioners } = require(name);
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

const schemes = { "kafka/kafkajs-legacy": scheme(Partitioners.LegacyPartitioner ?? Partitioners.DefaultPartitioner, legacy) };
if (Partitioners.JavaCompatiblePartitioner) {
  schemes["kafka/kafkajs"] = scheme(Partitioners.JavaCompatiblePartitioner, java);
}
serve("kafkajs", require(`${name}/package.json`).version, schemes);
