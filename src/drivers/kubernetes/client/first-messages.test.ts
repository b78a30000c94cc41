// Messages that an API server sends in one packet with the opening of a WebSocket.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { systemClock } from "../../../base/clock.ts";
import { ApiClient } from "./api-client.ts";
import { execInPod } from "./exec.ts";
import { forwardPort, PortRefused } from "./port-forward.ts";

/** RFC 6455, 4.2.2. */
const acceptFor = (key: string) =>
  createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");

/** A binary message whose first byte is its channel. */
const message = (channel: number, text: string) =>
  Buffer.concat([Buffer.of(0x82, text.length + 1, channel), Buffer.from(text)]);
const CLOSE = Buffer.of(0x88, 2, 0x03, 0xe8);

async function clientOf(t: TestContext, messages: Buffer[]): Promise<ApiClient> {
  const server = createServer().listen(0, "127.0.0.1");
  server.on("upgrade", ({ headers }, socket) => {
    const opening = [
      "HTTP/1.1 101 Switching Protocols",
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Accept: ${acceptFor(headers["sec-websocket-key"]!)}`,
      `Sec-WebSocket-Protocol: ${headers["sec-websocket-protocol"]}`,
    ];
    socket.on("error", () => {});
    socket.write(Buffer.concat([Buffer.from(`${opening.join("\r\n")}\r\n\r\n`), ...messages]));
  });
  await once(server, "listening");
  const client = new ApiClient(
    {
      context: "c",
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ca: null,
      serverName: null,
      certificate: null,
      token: null,
    },
    systemClock,
  );
  t.after(() => {
    client.close();
    server.close();
  });
  return client;
}

test("a port that is refused at once is refused, and not a connection that ends", async (t) => {
  const client = await clientOf(t, [message(1, "connection refused"), CLOSE]);
  const stream = await forwardPort(client, "/pod", 81);
  const outcome = new Promise<unknown>((resolve) => {
    stream.once("error", resolve);
    stream.once("end", () => resolve("it ended"));
  });
  stream.resume();
  const error = await outcome;
  assert.ok(error instanceof PortRefused, `${error}`);
});

test("what a command writes at once is read, with its exit code", async (t) => {
  const status = JSON.stringify({ status: "Success" });
  const client = await clientOf(t, [message(1, "out\n"), message(3, status), CLOSE]);
  const execution = await execInPod(client, "/pod", "main", { command: ["true"], tty: null });
  let text = "";
  for await (const { bytes } of execution.output) text += bytes;
  assert.deepEqual([text, await execution.exitCode()], ["out\n", 0]);
});
