// The proxy towards hosts that are not intercepted, and without a Freehold behind it.

import assert from "node:assert/strict";
import { lookup } from "node:dns";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { systemClock } from "../base/clock.ts";
import { openAuthority } from "./authority.ts";
import { certifiedNames } from "./hosts.ts";
import { startInterceptingProxy } from "./proxy.ts";

const CLOSED = "http://127.0.0.1:1";

async function startProxy(t: TestContext, upstream: URL | null = null): Promise<URL> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-proxy-"));
  const proxy = await startInterceptingProxy({
    authority: openAuthority(folder, certifiedNames, systemClock),
    origin: CLOSED,
    upstream: () => upstream,
    lookup: () => lookup,
    onRefused: () => undefined,
  });
  t.after(async () => {
    await proxy.close();
    rmSync(folder, { recursive: true });
  });
  return new URL(proxy.address);
}

async function echoServer(t: TestContext): Promise<number> {
  const server = net.createServer((socket) => socket.pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Opens a tunnel, sends bytes through it and returns what comes back. */
function throughTunnel(proxy: URL, authority: string, bytes: Buffer): Promise<Buffer> {
  const request = http.request({
    host: "127.0.0.1",
    port: proxy.port,
    method: "CONNECT",
    path: authority,
  });
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    request.on("connect", ({ statusCode }, socket) => {
      if (statusCode !== 200) return reject(new Error(String(statusCode)));
      const pieces: Buffer[] = [];
      socket.on("data", (piece) => {
        pieces.push(piece);
        const received = Buffer.concat(pieces);
        if (received.length < bytes.length) return;
        socket.destroy();
        resolve(received);
      });
      socket.write(bytes);
    });
    request.end();
  });
}

const noise = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) & 255));

test("bytes of any other host pass untouched", async (t) => {
  const proxy = await startProxy(t);
  const port = await echoServer(t);
  assert.deepEqual(await throughTunnel(proxy, `127.0.0.1:${port}`, noise), noise);
});

test("other hosts are reached through the user's own proxy", async (t) => {
  const own = await startProxy(t);
  const proxy = await startProxy(t, own);
  const port = await echoServer(t);
  assert.deepEqual(await throughTunnel(proxy, `127.0.0.1:${port}`, noise), noise);
});

test("a hosted name without a counterpart gets no tunnel", async (t) => {
  const proxy = await startProxy(t);
  await assert.rejects(throughTunnel(proxy, "console.runpod.io:443", noise), /403/);
});

test("without Freehold a hosted address answers 502", async (t) => {
  const proxy = await startProxy(t);
  const options = { host: "127.0.0.1", port: proxy.port, path: "http://api.runpod.io/graphql" };
  const status = await new Promise((resolve, reject) =>
    http.get(options, ({ statusCode }) => resolve(statusCode)).on("error", reject),
  );
  assert.equal(status, 502);
});
