// Tests of calls that an engine refuses for a moment.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import { Engine } from "./engine.ts";

/** Podman 4.3.1, while an interface of another container goes: `failures` times, and then the container starts. */
async function busyEngine(t: TestContext, failures: number) {
  let calls = 0;
  const server = createServer((_, response) => {
    if (++calls > failures) return void response.writeHead(204).end();
    const cause = "no such network interface";
    response.writeHead(500, { "content-type": "application/json" });
    response.end(JSON.stringify({ cause, message: `route ip+net: ${cause}`, response: 500 }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const engine = new Engine({ host }, new VirtualClock());
  const start = () => engine.callWhileAlive((docker) => docker.getContainer("c").start());
  return { start, calls: () => calls };
}

test("a start is tried again when an interface of another container has gone meanwhile", async (t) => {
  const { start, calls } = await busyEngine(t, 2);
  await start();
  assert.equal(calls(), 3);
});

test("a start that fails so each time is refused in the end", async (t) => {
  const { start } = await busyEngine(t, 100);
  await assert.rejects(start(), /no such network interface/);
});
