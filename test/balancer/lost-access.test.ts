// Tests that calls to a load-balancing endpoint end with the access of their key: one that waits for a worker or for its
// answer, one whose answer streams, and a WebSocket.

import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { WebSocket } from "ws";
import { join } from "../accounts/join.ts";
import { pollsArrived } from "../fixtures/service/held-polls.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { call, createEndpoint, send, startBalancing, textOf, untilReady } from "./fixture.ts";

/** An endpoint with a ready worker, and a key that can be revoked. */
async function fixture(t: TestContext) {
  const service = await startBalancing(t, { replicas: null });
  const workers = { min: 1, max: 1, idleTimeout: 60 };
  const { id } = await createEndpoint(service, { requestCount: 100, workers });
  await untilReady(service, id, 1);
  const makeKey = async () => (await service.call("POST", "/v1/keys", { name: "k" })).json;
  return { service, id, makeKey };
}

const revoke = (service: TestService, id: string) => service.call("DELETE", `/v1/keys/${id}`);

test("a stream and a WebSocket are cut, and those of other keys go on", async (t) => {
  const { service, id, makeKey } = await fixture(t);
  const ada = await join(service, "dev", "Ada");
  const slow = async (key: string) => {
    const answer = await send(service, id, { path: "/slow", key });
    const [piece] = await once(answer, "data");
    assert.equal(String(piece), "begun");
    return answer;
  };
  const { port } = new URL(service.origin);
  const open = async (key: string) => {
    const url = `ws://127.0.0.1:${port}/socket?api_key=${key}`;
    const socket = new WebSocket(url, { headers: { host: `${id}.lb.localhost:${port}` } });
    await once(socket, "open");
    return socket;
  };
  const key = await makeKey();
  const [stays, socketStays] = [await slow(service.key), await open(service.key)];
  const [stream, socket, adas] = [await slow(key.key), await open(key.key), await slow(ada.key)];
  const cut = Promise.all([
    assert.rejects(textOf(stream), { code: "ECONNRESET" }),
    once(socket, "close"),
  ]);
  await revoke(service, key.id);
  const [, [code]] = await cut;
  assert.equal(code, 1006, "the connection is closed, without a frame of the worker's");
  const demoted = assert.rejects(textOf(adas), { code: "ECONNRESET" });
  await service.call("PATCH", `/v1/members/${ada.member.id}`, { role: "billing" });
  await demoted;
  await until(async () => (await call(service, id, { path: "/drops" })).text === "2");
  socketStays.send("still here");
  const [data] = await once(socketStays, "message");
  assert.equal(String(data), "still here");
  assert.equal(stays.destroyed, false);
  stays.destroy();
  socketStays.close();
});

test("a call that has no answer yet is refused", async (t) => {
  const { service, id, makeKey } = await fixture(t);
  const key = await makeKey();
  const messages = [{ content: "one" }];
  const path = "/v1/chat/completions";
  const paused = { method: "POST", path, headers: { "content-length": "100" }, key: key.key };
  const answer = call(service, id, { ...paused, body: JSON.stringify({ messages }).padEnd(99) });
  await pollsArrived(service.call);
  await revoke(service, key.id);
  const { status, text } = await answer;
  assert.deepEqual([status, JSON.parse(text).code], [403, "forbidden"]);
});

test("a call that waits for a worker is refused", async (t) => {
  const { service, makeKey } = await fixture(t);
  const env = { STARTUP_MS: "600000" };
  const { id } = await createEndpoint(service, { env });
  const key = await makeKey();
  const answer = call(service, id, { key: key.key });
  await until(
    async () => (await service.call("GET", `/v2/${id}/health`)).json.workers.initializing,
  );
  await revoke(service, key.id);
  const { status, text } = await answer;
  assert.deepEqual([status, JSON.parse(text).code], [403, "forbidden"]);
});
