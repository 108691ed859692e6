// In which slot the cluster client of @redis/client looks for keys: what picks the node for a command says it, or picks any
// node. The client is connected to a stub of a server, a node that has all slots.
//
//   adapter.mjs VERSION SCHEME
import { createServer } from "node:net";
import { each, packages, placed, plain, rejected, serve } from "../../node/oracle-helper.mjs";

const [version, scheme] = process.argv.slice(2);
const name = `redis-client-${version}`;
const require = packages("node-redis");
const { default: Slots } = require(`${name}/dist/lib/cluster/cluster-slots.js`);
const { default: encodeCommand } = require(`${name}/dist/lib/${version.startsWith("1.") ? "client/RESP2" : "RESP"}/encoder.js`);

function answer(socket) {
  socket.on("error", () => {});
  socket.on("data", (data) => {
    for (const [, command] of data.toString("latin1").matchAll(/\*\d+\r\n\$\d+\r\n(CLUSTER\r\n\$5\r\nSLOTS|\w+)\r\n/g)) {
      const { port } = socket.address();
      socket.write(command.startsWith("CLUSTER")
        ? `*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n$9\r\n127.0.0.1\r\n:${port}\r\n$4\r\nnode\r\n` : "+OK\r\n");
    }
  });
}

const server = createServer(answer);
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const slots = new Slots({ rootNodes: [{ socket: { host: "127.0.0.1", port: server.address().port } }], RESP: 2 }, () => {});
await slots.connect();

// From now on each slot has a node of its own, and what is picked is the node itself.
const anyNode = {};
slots.getRandomNode = () => anyNode;
slots.nodeClient = (node) => node;
slots.slots = Array.from(slots.slots, (_, slot) => ({ master: { slot } }));
const pick = slots.getClientAndSlotNumber ? async (key) => (await slots.getClientAndSlotNumber(key, false)).client
  : (key) => slots.getClient(key, false);

async function place(_, key) {
  const argument = plain(key);
  const node = await pick(argument);
  try {
    encodeCommand(["GET", argument]);
  } catch (error) {
    return rejected(error);
  }
  return node === anyNode ? { outcome: "unpinned", why: "any node is picked" } : placed(node.slot);
}

serve("@redis/client", require(`${name}/package.json`).version, { [scheme]: each(place) });
