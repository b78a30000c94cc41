// Tests of the connections of a listener with TLS: plain http from the network, the limit of an address, and the end.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect as connectPlain, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { systemClock, VirtualClock } from "../../src/base/clock.ts";
import { ConnectionGuard } from "../../src/edge/http/connection/connection-guard.ts";
import { listener } from "../../src/edge/http/listener.ts";
import { serveTls } from "../../src/edge/http/tls/tls-entrance.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { makeCertificate } from "../fixtures/service/certificate.ts";
import { until } from "../fixtures/until.ts";

const pair = makeCertificate();
const source = { pair: () => pair, onChange() {} };

function connectOver(t: TestContext, port: number): TLSSocket {
  const socket = connectTls({ host: "127.0.0.1", port, ca: pair.cert });
  addCleanup(t, () => socket.destroy());
  return socket;
}

/** Null if the connection is closed instead. */
function answerTo(socket: TLSSocket, path: string): Promise<string | null> {
  return new Promise((resolve) => {
    socket.once("data", (piece) => resolve(piece.toString()));
    socket.on("error", () => {}); // a close event follows
    socket.once("close", () => resolve(null));
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  });
}

/** A server that counts as one on another computer, so that plain http crosses the network. */
async function networkServer(t: TestContext) {
  const clock = new VirtualClock();
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === "/replica/held") held.push(response);
    else response.end(`served ${request.url}`);
  });
  const entrance = { admits: () => true, allowsPlain: () => false, clock };
  serveTls(server, source, entrance);
  return { server, clock, held, ...(await listen(t, server)) };
}

async function listen(t: TestContext, server: Server) {
  const connections: Socket[] = [];
  server.on("connection", (socket) => connections.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  addCleanup(t, () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  /** Connects, and sends this; resolves once the server has it. */
  const send = async (text: string) => {
    const count = connections.length;
    const socket = connectPlain(port, "127.0.0.1");
    addCleanup(t, () => socket.destroy());
    const ended = new Promise<string>((resolve) => {
      let received = "";
      socket.on("data", (piece) => (received += piece));
      socket.on("error", () => {}); // a close event follows
      socket.on("close", () => resolve(received));
    });
    await until(() => connections.length > count);
    const connection = connections[count]!;
    socket.write(text);
    await until(() => connection.bytesRead === text.length);
    return { socket, ended, connection };
  };
  return { port, send };
}

function plainAnswer(port: number, lines: string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectPlain(port, "127.0.0.1");
    let text = "";
    socket.on("data", (piece) => (text += piece));
    socket.on("close", () => resolve(text));
    socket.write([...lines, "", ""].join("\r\n"));
  });
}

test("plain http from the network is redirected or refused, never served", async (t) => {
  const { port } = await networkServer(t);
  const page = await plainAnswer(port, ["GET /console?a=1 HTTP/1.1", "host: gpu.lan:8700"]);
  assert.match(page, /^HTTP\/1\.1 308/);
  assert.match(page, /\r\nlocation: https:\/\/gpu\.lan:8700\/console\?a=1\r\n/);
  const keyed = ["GET / HTTP/1.1", "host: gpu.lan", "authorization: fh_key"];
  const refusals = [
    keyed,
    ["POST /v2/e/run HTTP/1.1", "host: gpu.lan", "content-length: 0"],
    ["GET / HTTP/1.1", "host: a b"],
    ["GET / HTTP/1.1", "host: gpu.lan", "connection: upgrade", "upgrade: websocket", "cookie: a=b"],
  ];
  for (const lines of refusals) {
    const answer = await plainAnswer(port, lines);
    assert.match(answer, /^HTTP\/1\.1 400/, lines.join());
    assert.match(answer, /this port speaks TLS; call |invalid_http/);
  }
});

test("the root certificate is served over plain http, to requests without a secret", async (t) => {
  const { port } = await networkServer(t);
  const root = ["GET /tls/root.pem HTTP/1.1", "host: gpu.lan", "connection: close"];
  assert.match(await plainAnswer(port, root), /served \/tls\/root\.pem$/);
  assert.match(await plainAnswer(port, [...root, "authorization: fh_key"]), /^HTTP\/1\.1 400/);
});

test("no connection holds up the end of the service", async (t) => {
  const { server, port, held, send } = await networkServer(t);
  await send("");
  await send("GET /x HTTP/1.1\r\n");
  await send("\x16\x03\x01");
  await send("POST / HTTP/1.1\r\nhost: gpu.lan\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n");
  const replica = await send("GET /replica/held HTTP/1.1\r\nhost: gpu.lan\r\n\r\n");
  await until(() => held.length > 0);
  assert.match((await answerTo(connectOver(t, port), "/x"))!, /served \/x$/);
  let isClosed = false;
  server.close(() => (isClosed = true));
  server.closeIdleConnections();
  held[0]!.end("answered");
  await once(replica.socket, "data");
  server.closeAllConnections();
  assert.match(await replica.ended, /answered/);
  await until(() => isClosed);
});

test("plain http from the network has a minute for the headers of each request", async (t) => {
  const { clock, held, send } = await networkServer(t);
  const slow = await send("GET /x HTTP/1.1\r\n");
  await clock.advance(59_000);
  slow.socket.write("host: gpu.lan\r\n");
  await clock.advance(1_000);
  assert.equal(slow.connection.destroyed, true);

  const replica = await send("GET /replica/held HTTP/1.1\r\nhost: gpu.lan\r\n\r\n");
  await until(() => held.length > 0);
  await clock.advance(120_000);
  assert.equal(replica.connection.destroyed, false);
  held[0]!.end("answered");
  await once(replica.socket, "data");
  replica.socket.write("GET /replica/");
  await clock.advance(60_000);
  assert.equal(replica.connection.destroyed, true);
  assert.match(await replica.ended, /answered/);
});

test("connections count for the limit before their handshake, and not once they have sent a key", async (t) => {
  const connections = { perAddress: 2, trusted: () => false };
  const guard = new ConnectionGuard(systemClock, {
    connections,
    bodies: { periodMs: 20_000, bytesPerS: 1_024 },
  });
  const server = listener(
    (request, response) => {
      if (request.url === "/keyed") guard.identify(request.socket);
      response.end("served");
    },
    {
      guard,
      interceptor: null,
      upgraders: [],
      localTrust: { note() {} },
      tls: source,
    },
  );
  const { port, send } = await listen(t, server);
  const open = () => connectOver(t, port);
  for (let n = 0; n < 3; n++) assert.match((await answerTo(open(), "/keyed"))!, /served/);

  const silent = await send("");
  await send("\x16\x03\x01");
  assert.equal(await answerTo(open(), "/x"), null);

  silent.socket.destroy();
  await until(() => answerTo(open(), "/x"));
  assert.equal(await answerTo(open(), "/x"), null);
});
