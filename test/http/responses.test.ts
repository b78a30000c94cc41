// What every response of the HTTP server has, and what no request may have.

import assert from "node:assert/strict";
import { test } from "node:test";
import fastify from "fastify";
import { VirtualClock } from "../../src/base/clock.ts";
import { Polls } from "../../src/edge/http/held-requests.ts";
import { probeRoutes } from "../../src/edge/http/probes.ts";
import type { Store } from "../../src/store/engine/store.ts";
import { startService } from "../fixtures/service/service.ts";
import { exchange } from "../properties/raw-http.ts";

test("JSON is neither cached nor taken for another type", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  for (const [method, path] of [
    ["GET", `/v2/${endpoint}/status/${job.id}`],
    ["GET", "/v1/pods"],
    ["GET", "/v1/pods/none"],
    ["GET", "/nowhere"],
    ["POST", "/graphql"],
    ["GET", "/healthz"],
  ] as const) {
    const { headers } = await service.call(method, path, method === "POST" ? {} : undefined);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    assert.equal(headers.get("cache-control"), "no-store", path);
  }
});

test("a request with two Host headers is refused", async (t) => {
  const service = await startService(t, { replicas: null });
  const port = Number(new URL(service.origin).port);
  for (const more of ["", "upgrade: websocket\r\nconnection: upgrade\r\n"]) {
    const head = `GET /healthz HTTP/1.1\r\nhost: a\r\nHost: b\r\n${more}\r\n`;
    const reply = await exchange(port, Buffer.from(head));
    assert.equal(reply?.status, 400);
    assert.match(reply.body, /it has 2 Host headers/);
  }
});

test("readiness is answered although the database hangs", async () => {
  const clock = new VirtualClock();
  const app = fastify();
  const store = { read: () => new Promise(() => {}) } as unknown as Store;
  await app.register(probeRoutes({ store, clock, polls: new Polls(), starting: () => null }));
  const answer = app.inject("/readyz");
  await clock.advance(2_000);
  // Fastify alone shows the message; the service's error handler shows the whole fault.
  assert.match((await answer).body, /store/i);
  await app.close();
});
