// In which slot ioredis and iovalkey look for keys: a command says it, as it does to Cluster.
//
//   adapter.mjs PACKAGE VERSION
import { each, packages, plain, serve, Unsupported } from "../../node/oracle-helper.mjs";

const [name, version] = process.argv.slice(2);
const require = packages("ioredis");
const { Command } = require(`${name}-${version}`);

function place(_, key) {
  const argument = plain(key);
  if (argument === null) {
    // It is written as the empty key.
    throw new Unsupported("no key is null once it is a command's");
  }
  return new Command("get", [argument]).getSlot();
}

serve(name, require(`${name}-${version}/package.json`).version, { "redis/ioredis": each(place) });
