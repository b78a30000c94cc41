// The HTTP server of every listener: a request whose handler throws.

import assert from "node:assert/strict";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type TestContext, test } from "node:test";
import { listener } from "./listener.ts";

async function answerTo(t: TestContext, routes: RequestListener, request: string): Promise<string> {
  const server = listener(routes, {
    interceptor: null,
    upgraders: [
      {
        takesUpgrade: () => true,
        upgrade() {
          throw new Error("a fault of the upgrader");
        },
      },
    ],
    guard: { attach() {}, watchBody() {}, isRefused: () => false } as never,
    localTrust: { note() {} },
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => {});
  let received = "";
  client.on("data", (piece) => {
    received += piece;
  });
  client.write(request);
  await once(client, "close");
  return received;
}

const throws: RequestListener = () => {
  throw new Error("a fault of the routes");
};

test("a request whose handler throws is answered with 500, and its connection is closed", async (t) => {
  const text = await answerTo(t, throws, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  assert.match(text, /^HTTP\/1\.1 500 .*"code":"internal"/s);
});

test("a handler that throws after the head closes the connection", async (t) => {
  const begins: RequestListener = (_request, response) => {
    response.writeHead(200, { "content-length": "4" });
    response.write("ab");
    throw new Error("a fault of the routes");
  };
  const text = await answerTo(t, begins, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  assert.ok(!text.includes("HTTP/1.1 500"));
});

test("an upgrade whose handler throws is closed", async (t) => {
  const upgrade = "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
  assert.equal(await answerTo(t, throws, upgrade), "");
});
