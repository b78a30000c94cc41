// Many requests in flight: over two replicas, and 10,000 WebSockets where the limit of open files allows it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { WebSocket } from "ws";
import { until } from "../fixtures/until.ts";
import { missing } from "../postgres/database.ts";
import { call, createEndpoint, send, startBalancing, untilReady, workersOf } from "./fixture.ts";

test("a replica gives a request to the worker that is idle on all replicas", {
  skip: missing,
}, async (t) => {
  const service = await startBalancing(t, { replicas: 2 });
  const workers = { min: 2, max: 2, idleTimeout: 60 };
  const { id } = await createEndpoint(service, { workers, requestCount: 4 });
  await untilReady(service, id, 2);
  const origins = service.replicas.map(({ origin }) => origin);
  for (let n = 0; n < 6; n++) {
    const [one, other] = n % 2 === 0 ? origins : origins.toReversed();
    const busy = await send({ ...service, origin: one! }, id, { path: "/slow" });
    const there = { ...service, origin: other! };
    // It hears of the request within a report. Otherwise it would take turns.
    await until(async () => {
      const used: unknown[] = [];
      for (let calls = 0; calls < 4; calls++)
        used.push((await call(there, id, { path: "/pid" })).worker);
      return !used.includes(busy.headers["x-runpod-worker-id"]);
    });
    const second = await send(there, id, { path: "/slow" });
    const used = [busy, second].map(({ headers }) => headers["x-runpod-worker-id"]);
    assert.equal(new Set(used).size, 2);
    for (const answer of [busy, second]) answer.destroy();
    await until(async () => (await workersOf(service, id)).running === 0);
  }
});

/** Each takes a file descriptor of the client, and two of the service. */
const WEB_SOCKETS = 10_000;
const DESCRIPTORS = 3 * WEB_SOCKETS + 5_000;

test("thousands of WebSockets are open at once, and other requests pass", async (t) => {
  const count = socketsAllowed();
  if (count < WEB_SOCKETS) t.diagnostic(`${count} sockets: the limit of open files is too low`);
  const service = await startBalancing(t);
  const workers = { min: 1, max: 1, idleTimeout: 60 };
  const { id } = await createEndpoint(service, { workers, requestCount: 100 });
  await untilReady(service, id, 1);
  const { port } = new URL(service.origin);
  const headers = { host: `${id}.lb.localhost:${port}` };
  const open = async () => {
    const address = `ws://127.0.0.1:${port}/socket?api_key=${service.key}`;
    const socket = new WebSocket(address, { headers, perMessageDeflate: false });
    await once(socket, "open");
    return socket;
  };
  const sockets: WebSocket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.terminate();
  });
  while (sockets.length < count) {
    const some = Math.min(200, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: some }, open))));
  }
  const echoed = sockets.map(async (socket, n) => {
    const heard = once(socket, "message");
    socket.send(String(n));
    assert.equal(String((await heard)[0]), String(n));
  });
  await Promise.all(echoed);
  assert.equal((await call(service, id, { path: "/pid" })).status, 200);
  assert.equal((await workersOf(service, id)).running, 1);
  const { text } = await service.call("GET", "/metrics");
  const counted = `freehold_lb_requests_in_flight{endpoint="${id}",state="sent"} ${count}\n`;
  assert.ok(text.includes(counted), "all count as requests");
  for (const socket of sockets) socket.close();
  await until(async () => (await workersOf(service, id)).running === 0);
});

/** Raises the limit of open files as far as this user may. */
function socketsAllowed(): number {
  const pid = ["--pid", String(process.pid)];
  try {
    execFileSync("prlimit", [...pid, `--nofile=${DESCRIPTORS}:${DESCRIPTORS}`], {
      stdio: "ignore",
    });
    return WEB_SOCKETS;
  } catch {
    const limit = Number(execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }));
    return Math.min(WEB_SOCKETS, Math.max(100, Math.floor((limit - 5_000) / 3)));
  }
}
