// The Node driver of Cassandra: its encoder writes each column and composes the routing key, its tokenizers hash it.
import { Typed, Unsupported, each, packages, placed, serve } from "../../node/oracle-helper.mjs";

const require = packages("cassandra-node");
const { types } = require("cassandra-driver");
const Encoder = require("cassandra-driver/lib/encoder");
const { Murmur3Tokenizer, RandomTokenizer } = require("cassandra-driver/lib/tokenizer");

const encoder = new Encoder(4, {});
const SERVERS = "the driver leaves it to the server to refuse this";

// What a user would bind of a text, for each type.
const READ = {
  tinyint: Number, smallint: Number, int: Number, float: Number, double: Number,
  bigint: (text) => types.Long.fromString(text), varint: (text) => types.Integer.fromString(text),
  decimal: (text) => (/^-?\d+(\.\d+)?$/.test(text) ? types.BigDecimal.fromString(text) : undefined),
  boolean: (text) => text === "true", ascii: String, text: String, varchar: String,
  blob: (text) => Buffer.from(text.slice(2), "hex"), uuid: (text) => types.Uuid.fromString(text),
  timeuuid: (text) => types.TimeUuid.fromString(text), inet: (text) => types.InetAddress.fromString(text),
};

function component(column) {
  if (column instanceof Typed) {
    const value = READ[column.type]?.(column.value);
    if (value === undefined) {
      throw new Unsupported(`values of ${column.type} are not bound here`);
    }
    return encoder.encode(value, column.type);
  }
  if (typeof column === "string") {
    if (!column.isWellFormed()) {
      throw new Unsupported("a lone surrogate has no UTF-8");
    }
    return encoder.encode(column, "text");
  }
  if (Buffer.isBuffer(column)) {
    return encoder.encode(column, "blob");
  }
  throw new Unsupported(SERVERS);
}

function routingKey(key) {
  const parts = (Array.isArray(key) ? key : [key]).map(component);
  const size = parts.reduce((size, part) => size + part.length, 3 * (parts.length - 1));
  if (parts.length === 0 || size > 65535) {
    throw new Unsupported(SERVERS);
  }
  let routing = parts;
  encoder.setRoutingKeyFromUser(null, { getRoutingKey: () => parts, setRoutingKey: (key) => { routing = key; } });
  return routing;
}

const tokens = (tokenizer) => each((_, key) => {
  const token = tokenizer.hash(routingKey(key));
  return placed(token.toString(), token.toString());
});

serve("cassandra-driver", require("cassandra-driver/package.json").version, {
  "cassandra/murmur3": tokens(new Murmur3Tokenizer()),
  "cassandra/random": tokens(new RandomTokenizer()),
});
