// The server name of real client hellos, whole and in pieces.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import tls from "node:tls";
import { helloName } from "./hello-name.ts";

/** What Node sends first. */
async function realHello(options: tls.ConnectionOptions): Promise<Buffer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const client = tls.connect({ port, host: "127.0.0.1", ...options });
  client.on("error", () => undefined);
  const hello = await new Promise<Buffer>((resolve) =>
    server.once("connection", (socket) => {
      socket.on("error", () => undefined);
      const pieces: Buffer[] = [];
      socket.on("data", (piece) => {
        pieces.push(piece);
        const bytes = Buffer.concat(pieces);
        if (helloName(bytes) !== "incomplete") resolve(bytes);
      });
    }),
  );
  client.destroy();
  server.close();
  return hello;
}

test("the name of a client hello is found once it is complete", async () => {
  const hello = await realHello({ servername: "api.runpod.io" });
  assert.equal(helloName(hello), "api.runpod.io");
  for (let length = 0; length < hello.length; length++) {
    assert.equal(helloName(hello.subarray(0, length)), "incomplete", String(length));
  }
});

test("a client hello that is split over records is read too", async () => {
  const hello = await realHello({ servername: "rest.runpod.io" });
  const body = hello.subarray(5);
  const records = [body.subarray(0, 3), body.subarray(3, 100), body.subarray(100)].map((piece) =>
    Buffer.concat([
      hello.subarray(0, 3),
      Buffer.from([piece.length >> 8, piece.length & 255]),
      piece,
    ]),
  );
  assert.equal(helloName(Buffer.concat(records)), "rest.runpod.io");
});

test("a client hello without a name, and bytes that are no TLS, have none", async () => {
  assert.equal(helloName(await realHello({ servername: "" })), null);
  for (const text of ["GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n", "\x16\x02", "\x17\x03\x01"]) {
    assert.equal(helloName(Buffer.from(text, "latin1")), null, JSON.stringify(text));
  }
});

test("damaged client hellos are answered without an error", async () => {
  const hello = await realHello({ servername: "api.runpod.ai", ALPNProtocols: ["http/1.1"] });
  for (let at = 0; at < hello.length; at++) {
    for (const value of [0, 1, 127, 255]) {
      const damaged = Buffer.from(hello);
      damaged[at] = value;
      const name = helloName(damaged);
      assert.ok(name === null || typeof name === "string");
    }
  }
});
