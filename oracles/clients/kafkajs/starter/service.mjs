// What is asked: the name under which the service is reported, the function that its configuration selects (`keyfall
// schemes` lists them), and that configuration: the argument of kafka.producer(). Put your service's own here.
import kafkajs from "kafkajs";

export const name = "kafkajs-service";
export const scheme = "kafka/kafkajs";
export const producer = {
  createPartitioner: kafkajs.Partitioners.DefaultPartitioner, // also what it is without this line
};
