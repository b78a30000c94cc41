// The proxy under requests that try to get around it: no byte goes to a hosted address, and bodies of any size pass.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import net, { type AddressInfo, type LookupFunction } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import tls from "node:tls";
import { WebSocket, WebSocketServer } from "ws";
import { until, untilUnchanged } from "../../test/fixtures/until.ts";
import { systemClock } from "../base/clock.ts";
import { openAuthority } from "./authority.ts";
import { certifiedNames } from "./hosts.ts";
import { startInterceptingProxy } from "./proxy.ts";

const MEBIBYTE = 1_048_576;

/** A proxy before a server that stands for Freehold. Every name that the proxy looks up is recorded and fails. */
async function scene(t: TestContext, handle: http.RequestListener = () => {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-proxy-"));
  const origin = http.createServer(handle);
  await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
  const authority = openAuthority(folder, certifiedNames, systemClock);
  const lookedUp: string[] = [];
  const refused: string[] = [];
  const lookup: LookupFunction = (name, _options, callback) => {
    lookedUp.push(name);
    callback(new Error("no name is looked up here"), "", 4);
  };
  const proxy = await startInterceptingProxy({
    authority,
    origin: `http://127.0.0.1:${(origin.address() as AddressInfo).port}`,
    upstream: () => null,
    lookup: () => lookup,
    onRefused: (host) => refused.push(host),
  });
  t.after(async () => {
    await proxy.close();
    origin.closeAllConnections();
    origin.close();
    rmSync(folder, { recursive: true });
  });
  const port = Number(new URL(proxy.address).port);
  return { port, origin, lookedUp, refused, ca: authority.certificate };
}

/** Sends a CONNECT; resolves to its status and the tunnel. */
function connect(port: number, authority: string): Promise<{ status: number; socket: net.Socket }> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", reject);
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    socket.once("data", (data) =>
      resolve({ status: Number(data.toString().split(" ")[1]), socket }),
    );
    socket.once("close", () => resolve({ status: 0, socket }));
  });
}

/** TLS through the proxy; rejects if the certificate is not for `servername`. */
async function secure(
  { port, ca }: { port: number; ca: string },
  authority: string,
  servername: string,
): Promise<tls.TLSSocket> {
  const { status, socket } = await connect(port, authority);
  assert.equal(status, 200);
  return new Promise((resolve, reject) => {
    const secured = tls.connect({ socket, servername, ca }, () => resolve(secured));
    secured.on("error", reject);
    socket.on("close", () => reject(new Error("closed")));
  });
}

function statusOf(socket: net.Socket, request: string): Promise<number> {
  return new Promise((resolve) => {
    socket.once("data", (data) => resolve(Number(data.toString().split(" ")[1])));
    socket.write(request);
  });
}

/** By the answer to a CONNECT. 502 comes from the look-up that fails: the host was taken for another. */
const authorities: [authority: string, status: number][] = [
  ["api.runpod.io:443", 200],
  ["API.RUNPOD.IO:443", 200],
  ["api.runpod.io.:443", 200],
  ["api.runpod.io..:443", 200],
  ["api%2erunpod%2eio:443", 200],
  ["api.runpod.io", 200],
  ["api.runpod.io:8443", 200],
  ["api.runpod.io:22", 200],
  ["a1b2c3d4e5f6g7.api.runpod.ai:443", 200],
  ["abc-8888.proxy.runpod.net:443", 200],
  ["console.runpod.io:443", 403],
  ["CONSOLE.RunPod.IO.:443", 403],
  ["runpod.io:443", 403],
  ["s3api-eu-ro-1.runpod.io:443", 403],
  ["anything.runpod.dev:1", 403],
  ["example.org:443", 502],
  ["notrunpod.io:443", 502],
  ["api.runpod.io.example.org:443", 502],
  ["api.runpod.io@example.org:443", 400],
  ["api.runpod.io:443@example.org", 400],
  ["example.org/api.runpod.io:443", 400],
  ["example.org\\api.runpod.io:443", 400],
  ["example.org:443#api.runpod.io", 400],
  ["example.org:99999", 400],
  [":443", 400],
  ["[::1", 400],
];

test("a CONNECT is decided by the normal form of its host", async (t) => {
  const { port, lookedUp, refused } = await scene(t);
  for (const [authority, expected] of authorities) {
    const { status, socket } = await connect(port, authority);
    socket.destroy();
    assert.equal(status, expected, authority);
  }
  for (const name of lookedUp) assert.match(name, /example\.org$|^notrunpod\.io$/);
  const counted = authorities.filter(([, status]) => status === 403);
  assert.equal(refused.length, counted.length);
});

test("a port that a CONNECT names is kept, 80 included", async (t) => {
  const { port } = await scene(t);
  const echo = net.createServer((socket) => socket.pipe(socket)).listen(0, "127.0.0.1");
  t.after(() => echo.close());
  await new Promise((resolve) => echo.once("listening", resolve));
  const { status, socket } = await connect(
    port,
    `127.0.0.1:${(echo.address() as AddressInfo).port}`,
  );
  assert.equal(status, 200);
  socket.destroy();
  const plain = await connect(port, "api.runpod.io:80");
  const request = "GET / HTTP/1.1\r\nHost: console.runpod.io\r\nConnection: close\r\n\r\n";
  assert.equal(await statusOf(plain.socket, request), 403);
});

test("the name in TLS decides the certificate, and the Host header the answer", async (t) => {
  const proxy = await scene(t, (request, response) => response.end(request.headers.host));
  const ask = (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  const mixed = () => secure(proxy, "api.runpod.io:443", "rest.runpod.io");
  assert.equal(await statusOf(await mixed(), ask("REST.RUNPOD.IO.:443")), 200);
  for (const host of [
    "console.runpod.io",
    "example.org",
    "10.0.0.1",
    "api.runpod.io@example.org",
  ]) {
    assert.equal(await statusOf(await mixed(), ask(host)), 403, host);
  }
  await assert.rejects(secure(proxy, "api.runpod.io:443", "example.org"));
  await assert.rejects(secure(proxy, "api.runpod.io:443", "console.runpod.io"));
  await assert.rejects(secure(proxy, "api.runpod.io:443", ""));
  assert.deepEqual(proxy.lookedUp, []);
});

test("a tunnel to an address carries no TLS for a hosted name", async (t) => {
  const proxy = await scene(t);
  const received: Buffer[] = [];
  const server = net.createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (data) => received.push(data));
    socket.write("greeting");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const servername of ["api.runpod.io", "console.runpod.io", "x.api.runpod.ai"]) {
    await assert.rejects(secure(proxy, address, servername));
  }
  assert.deepEqual(proxy.refused, ["api.runpod.io", "console.runpod.io", "x.api.runpod.ai"]);
  assert.equal(Buffer.concat(received).length, 0);

  // Another name passes, and a server that speaks first is heard.
  const { socket } = await connect(proxy.port, address);
  tls.connect({ socket, servername: "example.org" }).on("error", () => undefined);
  await until(() => received.length > 0);
  socket.destroy();
  const silent = net.connect(proxy.port, "127.0.0.1");
  silent.write(`CONNECT ${address} HTTP/1.1\r\nHost: ${address}\r\n\r\n`);
  let heard = "";
  for await (const data of silent) {
    heard += data;
    if (heard.endsWith("greeting")) break;
  }
  assert.match(heard, /^HTTP\/1\.1 200 /);
});

test("WebSockets pass, also to the port of a Pod, and a refusal is readable", async (t) => {
  const proxy = await scene(t);
  const sockets = new WebSocketServer({ noServer: true });
  proxy.origin.on("upgrade", (request, socket, head) => {
    if (request.url === "/refused") {
      socket.end(
        "HTTP/1.1 401 Unauthorized\r\ntransfer-encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n",
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on("message", (data) => client.send(`${request.headers.host} ${data}`));
    });
  });
  const open = async (host: string, url: string) => {
    const socket = await secure(proxy, `${host}:443`, host);
    return new WebSocket(`ws://${host}${url}`, { createConnection: () => socket });
  };
  for (const [host, expected] of [
    ["api.runpod.io", /^127\.0\.0\.1:\d+ hello$/],
    ["abc-8888.proxy.runpod.net", /^abc-8888\.proxy\.localhost:\d+ hello$/],
    ["abc.api.runpod.ai", /^abc\.lb\.localhost:\d+ hello$/],
  ] as const) {
    const client = await open(host, "/");
    client.on("open", () => client.send("hello"));
    const message = await new Promise((resolve) => client.once("message", resolve));
    assert.match(String(message), expected);
    client.terminate();
  }
  const refused = await open("api.runpod.io", "/refused");
  const body = await new Promise((resolve) =>
    refused.once("unexpected-response", (_request, response: http.IncomingMessage) =>
      response.once("data", (data) => resolve(String(data))),
    ),
  );
  assert.equal(body, "no");
});

test("a large upload arrives whole, and waits for a server that does not read", async (t) => {
  const total = 64 * MEBIBYTE;
  let begin: (request: http.IncomingMessage) => void = () => {};
  const begun = new Promise<http.IncomingMessage>((resolve) => {
    begin = resolve;
  });
  const proxy = await scene(t, async (request, response) => {
    begin(request);
    response.on("error", () => undefined);
  });
  const socket = await secure(proxy, "api.runpod.io:443", "api.runpod.io");
  socket.write(`POST / HTTP/1.1\r\nHost: api.runpod.io\r\nContent-Length: ${total}\r\n\r\n`);
  const progress = { sent: 0 };
  const sending = sendAll(socket, total, progress);
  const request = await begun;
  await untilUnchanged(() => progress.sent);
  assert.ok(progress.sent < total / 2, `${progress.sent} bytes are held`);
  let received = 0;
  for await (const chunk of request) received += chunk.length;
  await sending;
  assert.equal(received, total);
});

test("a client that leaves a large download or upload ends it at the server", async (t) => {
  const total = 64 * MEBIBYTE;
  const progress = { sent: 0 };
  const left: Promise<unknown>[] = [];
  const proxy = await scene(t, (request, response) => {
    left.push(new Promise((resolve) => response.once("close", resolve)));
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    if (request.method === "GET") void sendAll(response, total, progress);
    else request.resume();
  });
  const download = await secure(proxy, "api.runpod.io:443", "api.runpod.io");
  download.write("GET / HTTP/1.1\r\nHost: api.runpod.io\r\n\r\n");
  await new Promise((resolve) => download.once("data", resolve));
  download.pause();
  await untilUnchanged(() => progress.sent);
  assert.ok(progress.sent < total / 2, `${progress.sent} bytes are held`);
  download.destroy();
  const upload = await secure(proxy, "api.runpod.io:443", "api.runpod.io");
  upload.write(`POST / HTTP/1.1\r\nHost: api.runpod.io\r\nContent-Length: ${total}\r\n\r\nhalf`);
  await until(() => left.length >= 2);
  upload.destroy();
  await Promise.all(left);
});

/** Writes as fast as the stream takes it. */
async function sendAll(
  stream: NodeJS.WritableStream & { destroyed?: boolean },
  total: number,
  progress: { sent: number },
): Promise<void> {
  const chunk = Buffer.alloc(MEBIBYTE / 4, 7);
  const closed = new Promise((resolve) => stream.once("close", resolve));
  while (progress.sent < total && !stream.destroyed) {
    const goesOn = stream.write(chunk);
    progress.sent += chunk.length;
    if (goesOn) continue;
    await Promise.race([closed, new Promise((resolve) => stream.once("drain", resolve))]);
  }
}
