// Where kafkajs puts keys, with the configuration of service.mjs: its partitioner is called as its producer calls it.
import { createRequire } from "node:module";
import kafkajs from "kafkajs";
import { count, each, observe, plain, serve } from "./oracle-helper.mjs";
import * as service from "./service.mjs";

const { version } = createRequire(import.meta.url)("kafkajs/package.json");
const partition = (service.producer.createPartitioner ?? kafkajs.Partitioners.DefaultPartitioner)();

let partitionMetadata = [];
function place(params, key) {
  const partitions = count(params, 100_000);
  if (partitionMetadata.length !== partitions) {
    partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({ partitionId, leader: 1 }));
  }
  const message = { key: plain(key), value: "" };
  return observe(message.key, () => partition({ topic: "topic", partitionMetadata, message }));
}

serve(service.name, version, { [service.scheme]: each(place) });
