// The oracle protocol for adapters written for Node: JSON lines on stdin and stdout.
//
//   serve("client", "1.2.3", { "system/scheme": each((params, key) => place or outcome) });
//
// A decoded key is null, a Buffer, a string (text and utf16, lone surrogates kept), Typed, an array or a plain object.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { writeSync } from "node:fs";

export const REPEATS = 64;

export class Typed {
  constructor(type, value) {
    this.type = type;
    this.value = value;
  }
}

// This source does not answer such a request at all.
export class Skipped extends Error {}
// This adapter has no way to hand this key to the client.
export class Unsupported extends Error {}

class Malformed extends Error {}

export const placed = (place, hash) => ({ outcome: "placed", place, ...(hash === undefined ? {} : { hash: String(hash) }) });
export const rejected = (error) => ({ outcome: "rejected", why: `${error.name}: ${error.message}`.slice(0, 300) });

// require() over the packages that npmci NAME has installed.
export const packages = (name) => createRequire(new URL(`../target/node/${name}/package.json`, import.meta.url));

export function decode(key) {
  if (key === null) {
    return null;
  }
  const forms = typeof key === "object" ? Object.keys(key).sort() : [];
  if (forms.join() === "type,value") {
    return new Typed(key.type, key.value);
  }
  const value = forms.length === 1 ? key[forms[0]] : undefined;
  switch (forms.length === 1 && forms[0]) {
    case "hex":
    case "base64": {
      const bytes = Buffer.from(value, forms[0]);
      if (bytes.toString(forms[0]) === (forms[0] === "hex" ? value.toLowerCase() : value)) {
        return bytes;
      }
      break;
    }
    case "text":
      if (typeof value === "string") {
        return value;
      }
      break;
    case "utf16":
      return value.map((unit) => String.fromCharCode(unit)).join("");
    case "tuple":
      return value.map(decode);
    case "fields":
      return Object.fromEntries(Object.entries(value).map(([name, part]) =>
        [name, part !== null && typeof part === "object" ? decode(part) : part]));
  }
  throw new Malformed(`not a key: ${JSON.stringify(key).slice(0, 200)}`);
}

// What a client takes that knows strings and Buffers: null, a string or a Buffer.
export function plain(key) {
  if (key instanceof Typed) {
    switch (key.type) {
      case "string":
        return key.value;
      case "bytes":
        return decode({ hex: key.value });
      case "void":
        return null;
    }
    throw new Unsupported(`this client has no serializer for ${key.type}`);
  }
  if (key === null || typeof key === "string" || Buffer.isBuffer(key)) {
    return key;
  }
  throw new Unsupported("this client has no serializer for such a key");
}

// A scheme over one key. What place throws is "error"; where the client rejects a key, place says so by rejected().
export const each = (place) => async (params, keys) => {
  const outcomes = [];
  for (const key of keys) {
    try {
      const answer = await place(params, decode(key));
      outcomes.push(typeof answer === "number" ? placed(answer) : answer);
    } catch (error) {
      if (error instanceof Skipped) {
        throw error;
      }
      outcomes.push({ outcome: "error", why: error.message.slice(0, 300) });
    }
  }
  return outcomes;
};

export function count(params, most) {
  const { partitions } = params;
  if (!Number.isInteger(partitions) || partitions < 1 || partitions > most) {
    throw new Skipped(`partitions must be between 1 and ${most}`);
  }
  return partitions;
}

// Whether a key may be unpinned, and is thus placed 64 times by one client: a null or an empty one.
export const often = (key) => key === null || key.length === 0;

// The outcome of one key from the places that one client gave it.
export const observed = (places) => (places.every((place) => place === places[0]) ? placed(places[0])
  : { outcome: "unpinned", why: "one key, placed again, landed in another place" });

// The outcome of one key; what the client throws is a rejection.
export async function observe(key, place) {
  const places = [];
  try {
    do {
      places.push(await place());
    } while (often(key) && places.length < REPEATS && places.at(-1) === places[0]);
  } catch (error) {
    return rejected(error);
  }
  return observed(places);
}

// A producer writes records, { key, value } with a key from plain(), to a topic of the broker at KAFKA_BOOTSTRAP, and waits
// until it has them all; where it was not written, a record's `failed` becomes an outcome. With producers an adapter also
// answers "produce", by which servers/kafka makes the client write to a running broker: its README.md.
async function produce(producer, { topic, keys, seq, fill }) {
  const outcomes = await each((_, key) => ({ outcome: "produced", key: plain(key) }))({}, keys);
  // The value of a record says which one it is.
  const records = outcomes.map(({ key }, index) => ({ key, value: `${seq}/${index}/${"\0".repeat(fill)}` }));
  await producer(topic, records.filter(({ key }) => key !== undefined));
  return outcomes.map(({ key, ...outcome }, index) => records[index].failed ?? outcome);
}

// Answers until stop or the end of stdin. Whatever else prints to stdout is sent to stderr.
export async function serve(name, clientVersion, schemes, producers = {}) {
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const send = (message) => {
    let rest = Buffer.from(`${JSON.stringify(message)}\n`);
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(1, rest));
      } catch (error) {
        if (error.code !== "EAGAIN") {
          throw error;
        }
      }
    }
  };

  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() === "") {
      continue;
    }
    const request = JSON.parse(line);
    const known = request.cmd === "produce" ? producers : schemes;
    if (request.cmd === "start") {
      send({ version: 1, name, client_version: clientVersion, language: "javascript", schemes: Object.keys(schemes) });
    } else if (request.cmd === "stop") {
      break;
    } else if (request.cmd !== "place" && request.cmd !== "produce") {
      send({ seq: request.seq, error: "unknown command" });
    } else if (!Object.hasOwn(known, request.scheme)) {
      send({ seq: request.seq, skipped: "no such scheme here" });
    } else {
      try {
        const ask = known[request.scheme];
        const outcomes = request.cmd === "produce" ? await produce(ask, request) : await ask(request.params ?? {}, request.keys);
        send({ seq: request.seq, outcomes });
      } catch (error) {
        send({ seq: request.seq, [error instanceof Skipped ? "skipped" : "error"]: error.message });
      }
    }
  }
  process.exit(0);
}
