// Ports for servers that a test starts later, kills and starts again. They are not those that the
// system gives to whoever connects: a client that tries a dead server's port again and again would
// some day be given that very port, and be connected to itself.

import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports of clients, and beside those that Pods are given. */
const FIRST = 10_000;
const LAST = 19_999;

/** A port of loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    const server = createServer().listen(port, "127.0.0.1");
    const free = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!free) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
