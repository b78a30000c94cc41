// A call that is given up before, while and after its answer begins.

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { Http } from "./http.ts";

async function open(t: TestContext, listener: http.RequestListener) {
  const server = http.createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = new Http("key");
  t.after(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { client, call: { method: "GET" as const, address, idleMs: 5_000 } };
}

test("an answer that has begun is read to its end though the caller gives up", async (t) => {
  const quit = new AbortController();
  const { client, call } = await open(t, async (_request, response) => {
    response.write('{"id":');
    // The first half arrives; the client gives up; then the rest follows.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    quit.abort();
    response.end('"j1"}');
  });
  const reply = await client.call({ ...call, signal: quit.signal });
  assert.ok(quit.signal.aborted);
  assert.deepEqual(reply, { status: 200, text: '{"id":"j1"}' });
});

test("a call is given up before its answer begins, also if that was decided earlier", async (t) => {
  const quit = new AbortController();
  const { client, call } = await open(t, () => quit.abort());
  await assert.rejects(client.call({ ...call, signal: quit.signal }), /given up/);
  await assert.rejects(client.call({ ...call, signal: quit.signal }), /given up/);
});

test("a server that falls silent is given up", async (t) => {
  const { client, call } = await open(t, () => {});
  await assert.rejects(client.call({ ...call, idleMs: 20 }), /silent for 20 ms/);
});

test("half an answer is none", async (t) => {
  const { client, call } = await open(t, (_request, response) => {
    response.writeHead(200, { "content-length": 100 }).write("half");
    setImmediate(() => response.destroy());
  });
  await assert.rejects(client.call(call));
});
