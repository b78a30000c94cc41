// Clients that announce a body and stop sending it, over raw sockets. They hold neither connections nor
// memory, and they do not hinder other clients.

import assert from "node:assert/strict";
import { type AddressInfo, connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { type TestContext, test } from "node:test";
import { VirtualClock } from "../../src/base/clock.ts";
import { containersServer } from "../../src/edge/http/server.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { pollsArrived } from "../fixtures/service/held-polls.ts";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

const MB = 1_048_576;
const ANNOUNCED = 128 * MB;

/** Longer than two periods of the slowest accepted body. */
const PERIODS_MS = 60_000;

async function begin(t: TestContext, env: Record<string, string> = {}) {
  const clock = new VirtualClock(Date.now());
  const service = await startService(t, { clock, env, replicas: null });
  return { clock, service, endpointId: await service.makeEndpoint() };
}

interface RawClient {
  socket: Socket;
  /** What the server sent. */
  received: () => string;
  isClosed: () => boolean;
  error: () => Error | null;
}

/** Sends the head of a request and the beginning of its body, and then nothing more. */
async function stall(
  t: TestContext,
  { origin }: TestService,
  path: string,
  headers: Record<string, string | number>,
  sent: Buffer,
): Promise<RawClient> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let received = "";
  let isClosed = false;
  let error: Error | null = null;
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  socket.on("error", (event) => {
    error = event;
  });
  socket.on("close", () => {
    isClosed = true;
  });
  addCleanup(t, async () => void socket.destroy());
  const lines = Object.entries({ host: "freehold", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  await new Promise<void>((resolve) => socket.write(sent, () => resolve()));
  return { socket, received: () => received, isClosed: () => isClosed, error: () => error };
}

/** The bytes of bodies that the service holds in memory. */
async function heldBytes(service: TestService, from: "clients" | "workers"): Promise<number> {
  const { text } = await service.call("GET", "/metrics");
  const line = new RegExp(`^freehold_request_body_bytes\\{from="${from}"\\} (\\d+)$`, "m").exec(
    text,
  );
  assert.ok(line, "the metric is exported");
  return Number(line[1]);
}

const connectionsOf = ({ service }: TestService) =>
  new Promise<number>((resolve) => service.app.server.getConnections((_, count) => resolve(count)));

test("400 clients without a key that stop within a body hold no memory and are disconnected", async (t) => {
  const { clock, service } = await begin(t);
  const sent = Buffer.alloc(0.9 * MB, '"');
  const before = process.memoryUsage().arrayBuffers;
  const clients = await Promise.all(
    Array.from({ length: 400 }, () =>
      stall(t, service, "/v1/session", { "content-length": MB }, sent),
    ),
  );
  await until(async () => (await connectionsOf(service)) >= 400);
  const heldByBuffers = process.memoryUsage().arrayBuffers - before;
  assert.ok(heldByBuffers < 100 * MB, `${Math.round(heldByBuffers / MB)} MB are held`);
  assert.equal(await heldBytes(service, "clients"), 0);

  await clock.advance(PERIODS_MS);
  await until(() => clients.every(({ isClosed }) => isClosed()));
  assert.match(clients[0]!.received(), /^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
});

test("a body without a key has at most 16,384 bytes on every route", async (t) => {
  const { service } = await begin(t);
  const key = (bytes: number) => JSON.stringify({ key: "fh_wrong" }).padEnd(bytes);
  const call = (path: string, body: string) =>
    fetch(`${service.origin}${path}`, { method: "POST", body });
  assert.equal((await call("/v1/session", key(16_384))).status, 401);
  for (const path of ["/v1/session", "/graphql"]) {
    const answer = await call(path, key(16_385));
    assert.equal(answer.status, 413, path);
    assert.match(((await answer.json()) as { error?: string }).error ?? "413", /16384|413/);
  }
  assert.equal((await call("/nowhere", key(100_000))).status, 404);
});

test("two clients that announce 128 MB and send one byte hinder no other client", async (t) => {
  const { service, endpointId } = await begin(t);
  const { authorization } = await createOtherAccount(service);
  const headers = { authorization, "content-length": ANNOUNCED };
  for (let n = 0; n < 2; n++) {
    await stall(t, service, `/v2/${endpointId}/run`, headers, Buffer.from("{"));
    await stall(t, service, "/v1/templates", headers, Buffer.from("{"));
  }
  assert.equal(await heldBytes(service, "clients"), 0);
  const input = { text: "x".repeat(5 * MB) };
  const answer = await service.call("POST", `/v2/${endpointId}/run`, { input });
  assert.equal(answer.status, 200);
});

test("a foreign endpoint is refused before its body is read", async (t) => {
  const { service, endpointId } = await begin(t);
  const { authorization } = await createOtherAccount(service);
  const headers = { authorization, "content-length": 5 * MB };
  const client = await stall(t, service, `/v2/${endpointId}/run`, headers, Buffer.from("{"));
  await until(() => client.received() !== "");
  assert.match(client.received(), /^HTTP\/1\.1 404 .*endpoint_not_found/s);
});

test("a client that sends much of a refused body before it reads gets the answer", async (t) => {
  const { service, endpointId } = await begin(t);
  const headers = { authorization: service.key, "content-length": ANNOUNCED + 1 };
  const path = `/v2/${endpointId}/run`;
  const client = await stall(t, service, path, headers, Buffer.alloc(20 * MB));
  await until(client.isClosed);
  assert.match(client.received(), /^HTTP\/1\.1 413 .*connection: close.*payload_too_large/s);
  assert.equal(client.error(), null);
});

test("bodies of one account leave room for another's, and stalled ones give theirs back", async (t) => {
  const { clock, service, endpointId } = await begin(t);
  const { authorization } = await createOtherAccount(service);
  const created = await service.call("POST", "/v1/templates", template, { authorization });
  const foreign = await service.call(
    "POST",
    "/v1/endpoints",
    { templateId: created.json.id, workersMin: 0 },
    { authorization },
  );
  assert.equal(foreign.status, 200, foreign.text);
  const sent = Buffer.concat([Buffer.from('{"input":{"a":"'), Buffer.alloc(19 * MB, "x")]);
  const headers = { authorization, "content-length": 20 * MB };
  const path = `/v2/${foreign.json.id}/runsync`;
  const clients = await Promise.all(
    Array.from({ length: 12 }, () => stall(t, service, path, headers, sent)),
  );
  const refused = () => clients.filter(({ received }) => received().includes("too_busy")).length;
  await until(async () => refused() >= 7 && (await heldBytes(service, "clients")) > 75 * MB);
  assert.ok((await heldBytes(service, "clients")) <= 120 * MB);

  const input = { text: "x".repeat(9 * MB) };
  assert.equal((await service.call("POST", `/v2/${endpointId}/run`, { input })).status, 200);
  await clock.advance(PERIODS_MS);
  await until(async () => (await heldBytes(service, "clients")) === 0);
});

const template = { name: "t", imageName: "i", isServerless: true };

test("a worker's result does not wait behind clients' bodies", async (t) => {
  const { service, endpointId } = await begin(t);
  const { json: job } = await service.call("POST", `/v2/${endpointId}/run`, { input: {} });
  const worker = await service.makeWorker(endpointId);
  assert.equal((await worker.call("job-take")).json.id, job.id);
  const sent = Buffer.concat([Buffer.from('{"input":{"a":"'), Buffer.alloc(19 * MB, "x")]);
  const headers = { authorization: service.key, "content-length": 20 * MB };
  const stalled = await Promise.all(
    Array.from({ length: 8 }, () => stall(t, service, `/v2/${endpointId}/runsync`, headers, sent)),
  );
  await until(() => stalled.some(({ received }) => received().includes("too_busy")));
  const output = JSON.stringify({ output: "y".repeat(15 * MB) });
  assert.equal((await worker.call(`job-done/${job.id}`, "", output)).status, 200);
  const status = await service.call("GET", `/v2/${endpointId}/status/${job.id}`);
  assert.equal(status.json.output.length, 15 * MB);
});

test("more results than there is room for are all stored", async (t) => {
  const { service, endpointId } = await begin(t);
  const worker = await service.makeWorker(endpointId);
  const output = JSON.stringify({ output: "y".repeat(15 * MB) });
  const jobs: string[] = [];
  for (let n = 0; n < 8; n++) {
    jobs.push((await service.call("POST", `/v2/${endpointId}/run`, { input: {} })).json.id);
    await worker.call("job-take");
  }
  const posts = jobs.map((id) => worker.call(`job-done/${id}`, "", output));
  assert.deepEqual([...new Set((await Promise.all(posts)).map(({ status }) => status))], [200]);
  assert.equal(await heldBytes(service, "workers"), 0);
});

test("the room of a runsync's body is given back once its job is stored", async (t) => {
  const { clock, service, endpointId } = await begin(t);
  const input = { text: "x".repeat(5 * MB) };
  const waiting = service.call("POST", `/v2/${endpointId}/runsync`, { input });
  await until(async () => {
    const { json } = await service.call("GET", `/v2/${endpointId}/health`);
    return json.jobs.inQueue === 1;
  });
  await until(async () => (await heldBytes(service, "clients")) === 0);
  await clock.advance(91_000);
  assert.equal((await waiting).json.status, "IN_QUEUE");
});

test("a body that arrives slowly but steadily is accepted", async (t) => {
  const { clock, service, endpointId } = await begin(t);
  const part = Buffer.alloc(30_000, " ");
  const headers = { authorization: service.key, "content-length": 4 * part.length + 13 };
  const path = `/v2/${endpointId}/run`;
  const client = await stall(t, service, path, headers, Buffer.from('{"input":'));
  await pollsArrived(service.call);
  for (let n = 0; n < 4; n++) {
    client.socket.write(part);
    await pollsArrived(service.call);
    await clock.advance(20_000);
  }
  client.socket.write("{} ");
  client.socket.write("}");
  await until(() => client.received() !== "");
  assert.match(client.received(), /^HTTP\/1\.1 200 /);
});

test("an address has a limited number of connections without a key, and any number with one", async (t) => {
  const { service } = await begin(t, { FREEHOLD_CONNECTIONS_PER_ADDRESS: "3" });
  const address = ownAddress();
  if (!address) return t.skip("this machine has no address but loopback");
  // The server that the containers' gateway uses.
  const server = containersServer(service.service.app, service.service.proxying.listeners);
  await new Promise<void>((resolve) => server.listen({ host: address, port: 0 }, resolve));
  addCleanup(t, async () => void server.close());
  const { port } = server.address() as AddressInfo;
  const there = { ...service, origin: `http://${address}:${port}` };
  const open = (authorization: string, path = "/v1/nowhere") =>
    stall(t, there, path, { authorization, "content-length": 0 }, Buffer.alloc(0));

  for (let n = 0; n < 5; n++) {
    const withKey = await open(service.key, "/graphql");
    await until(() => withKey.isClosed() || withKey.received() !== "");
    assert.match(withKey.received(), /^HTTP\/1\.1 200/);
  }
  const without: RawClient[] = [];
  for (let n = 0; n < 3; n++) without.push(await open("none"));
  await until(() => without.every(({ received }) => received().startsWith("HTTP/1.1 404")));
  const refused = await open("none");
  await until(refused.isClosed);
  assert.ok(!refused.received().startsWith("HTTP/1.1 404"), refused.received());

  without[0]!.socket.destroy();
  await until(async () => {
    const next = await open("none");
    await until(() => next.isClosed() || next.received() !== "");
    return next.received().startsWith("HTTP/1.1 404");
  });
});

function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ internal, family }) => !internal && family === "IPv4")?.address;
}
