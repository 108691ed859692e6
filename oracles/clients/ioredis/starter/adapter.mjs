// In which slot ioredis looks for keys, with the configuration of service.mjs: a command says it, as it does to Cluster.
import { createRequire } from "node:module";
import { Command } from "ioredis";
import { each, plain, serve, Unsupported } from "./oracle-helper.mjs";
import * as service from "./service.mjs";

const { version } = createRequire(import.meta.url)("ioredis/package.json");
const { keyPrefix } = service.redisOptions;

function place(_, key) {
  const bytes = plain(key);
  if (bytes === null) {
    throw new Unsupported("no key is null once it is a command's");
  }
  return new Command("get", [bytes], { keyPrefix }).getSlot();
}

serve(service.name, version, { [service.scheme]: each(place) });
