// Tests of calls that are aborted before, while and after their response begins.

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

test("a response that has begun is read to its end after the call is aborted", async (t) => {
  const abort = new AbortController();
  const { client, call } = await open(t, async (_request, response) => {
    response.write('{"id":');
    // The first half arrives; the call is aborted; then the rest follows.
    for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    response.end('"j1"}');
  });
  const reply = await client.call({ ...call, signal: abort.signal });
  assert.ok(abort.signal.aborted);
  assert.deepEqual(reply, { status: 200, text: '{"id":"j1"}' });
});

test("a call is aborted before its response begins, even with an aborted signal", async (t) => {
  const abort = new AbortController();
  const { client, call } = await open(t, () => abort.abort());
  await assert.rejects(client.call({ ...call, signal: abort.signal }), /aborted/);
  await assert.rejects(client.call({ ...call, signal: abort.signal }), /aborted/);
});

test("a call to a silent server fails", async (t) => {
  const { client, call } = await open(t, () => {});
  await assert.rejects(client.call({ ...call, idleMs: 20 }), /silent for 20 ms/);
});

test("an incomplete response fails", async (t) => {
  const { client, call } = await open(t, (_request, response) => {
    response.writeHead(200, { "content-length": 100 }).write("half");
    setImmediate(() => response.destroy());
  });
  await assert.rejects(client.call(call));
});
