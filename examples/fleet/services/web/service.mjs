// web: Node, kafkajs with the partitioner that it has by default since 2.0.
import kafkajs from "kafkajs";

export const name = "web";
export const scheme = "kafka/kafkajs";
export const producer = { createPartitioner: kafkajs.Partitioners.DefaultPartitioner };
