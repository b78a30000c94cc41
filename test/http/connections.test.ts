// Connections of clients and workers: many at once, late readers, pipelined requests, disconnects and held polls.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

const protocol = { pollHoldMs: 60_000, drainMs: 2_000 };

async function begin(t: TestContext) {
  const service = await startService(t, { protocol });
  const endpointId = await service.makeEndpoint();
  const worker = await service.makeWorker(endpointId);
  return { service, endpointId, worker };
}

function connectTo({ origin }: TestService): Socket {
  return connect(Number(new URL(origin).port), "127.0.0.1");
}

const requestText = ({ key }: TestService, method: string, path: string, body = "") =>
  `${method} ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test("jobs on many connections at once", async (t) => {
  const { service, endpointId, worker } = await begin(t);
  const jobs = Array.from({ length: 40 }, async (_, n) => {
    const body = { input: { n } };
    const ended = service.call("POST", `/v2/${endpointId}/runsync`, body, {
      connection: "close",
    });
    const { json: job } = await worker.call("job-take");
    const output = JSON.stringify({ output: job.input.n });
    assert.equal((await worker.call(`job-done/${job.id}`, "", output)).status, 200);
    return (await ended).json;
  });
  const ended = await Promise.all(jobs);
  const outputs = ended.map(({ status, output }) => `${status} ${output}`);
  const expected = Array.from({ length: 40 }, (_, n) => `COMPLETED ${n}`);
  assert.deepEqual(outputs.sort(), expected.sort());
});

test("large bodies pass in both directions, also to a client that reads late", async (t) => {
  const { service, endpointId, worker } = await begin(t);
  const text = "0123456789abcdef".repeat(500_000);
  const { json: run } = await service.call("POST", `/v2/${endpointId}/run`, { input: { text } });
  const { json: job } = await worker.call("job-take");
  assert.equal(job.input.text, text);
  const output = JSON.stringify({ output: text });
  assert.equal((await worker.call(`job-done/${job.id}`, "", output)).status, 200);

  const socket = connectTo(service);
  const close = "Connection: close\r\n\r\n";
  const request = requestText(service, "GET", `/v2/${endpointId}/status/${run.id}`);
  socket.write(request.replace("Content-Length: 0\r\n\r\n", close));
  socket.pause();
  // Meanwhile, the service answers others.
  assert.equal((await service.call("GET", `/v2/${endpointId}/health`)).status, 200);
  let received = "";
  socket.setEncoding("latin1").on("data", (piece) => {
    received += piece;
  });
  socket.resume();
  await once(socket, "end");
  assert.ok(received.startsWith("HTTP/1.1 200 "));
  assert.ok(received.endsWith(`"output":"${text}"}`));
});

test("pipelined requests are answered in order, those for Node's server too", async (t) => {
  const { service, endpointId } = await begin(t);
  const socket = connectTo(service);
  const paths = [`/v2/${endpointId}/health`, "/healthz", `/v2/${endpointId}/health`, "/healthz"];
  socket.write(paths.map((path) => requestText(service, "GET", path)).join(""));
  let received = "";
  socket.setEncoding("utf8").on("data", (piece) => {
    received += piece;
  });
  await until(() => received.match(/HTTP\/1\.1 200/g)?.length === paths.length);
  assert.deepEqual(received.match(/"(?:jobs|status)":/g), [
    '"jobs":',
    '"status":',
    '"jobs":',
    '"status":',
  ]);
  socket.destroy();
});

test("a client that disconnects releases its held poll", async (t) => {
  const { service, endpointId, worker } = await begin(t);
  const connections = () =>
    new Promise((resolve) => {
      service.service.app.server.getConnections((_, count) => resolve(count));
    });
  const before = await connections();
  const poll = new AbortController();
  const held = worker.call("job-take", "", undefined, poll.signal).catch(() => null);
  await until(async () => (await connections()) !== before);
  poll.abort();
  await held;
  await until(async () => (await connections()) === before);
  const { json: run } = await service.call("POST", `/v2/${endpointId}/run`, { input: {} });
  assert.equal((await worker.call("job-take")).json.id, run.id);
});

test("a held poll is answered before the service has stopped", async (t) => {
  const { service, worker } = await begin(t);
  const held = worker.call("job-take");
  await until(async () => (await service.call("GET", "/healthz")).status === 200);
  await service.stop();
  assert.equal((await held).status, 204);
});

test("a port that another service uses is refused", async (t) => {
  const { service } = await begin(t);
  const listen = new URL(service.origin).host;
  await assert.rejects(startService(t, { listen }), /is taken; stop what uses it/);
});
