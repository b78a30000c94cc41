// Tests of proxied connections that are upgraded from HTTP.

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { headOf, podOf, RawClient, rawPodOf, startSimulatedPod } from "./fixture.ts";

test("a WebSocket's bytes pass unchanged, and closing one side closes the other", async (t) => {
  const closed: Promise<unknown>[] = [];
  const pod = await rawPodOf(t, (socket) => {
    closed.push(once(socket, "close"));
    socket.once("data", (head) => {
      assert.match(head.toString("latin1"), /\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n/);
      const agreed = ["HTTP/1.1 101 Fine", "Upgrade: websocket", "Connection: Upgrade", "X-A: 1"];
      const more = ["Set-Cookie: freehold_session=evil", "Set-Cookie: mine=1", "", "hello"];
      socket.write([...agreed, ...more].join("\r\n"));
      socket.on("data", (piece) => socket.write(piece));
    });
  });
  const { port } = await startSimulatedPod(t, pod);
  const client = new RawClient(t, port);
  client.say(headOf("Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"));
  const agreed = await client.until((heard) => heard.endsWith("hello"));
  assert.match(agreed, /^HTTP\/1.1 101 Fine\r\n/);
  assert.match(agreed, /\r\nX-A: 1\r\n[\s\S]*mine=1[\s\S]*\r\nUpgrade: websocket\r\n/);
  assert.doesNotMatch(agreed, /evil/);
  const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, n) => n));
  await client.say(bytes).until((heard) => heard.endsWith(bytes));
  client.socket.destroy();
  await Promise.all(closed);
});

test("bytes that were sent before a connection closed still arrive", async (t) => {
  const much = "x".repeat(3_000_000);
  const pod = await rawPodOf(t, (socket) => {
    socket.once("data", () => {
      socket.write("HTTP/1.1 101 x\r\nUpgrade: raw\r\nConnection: Upgrade\r\n\r\n");
      socket.end(much);
    });
  });
  const { port } = await startSimulatedPod(t, pod);
  const client = new RawClient(t, port).say(headOf("Connection: Upgrade\r\nUpgrade: raw\r\n"));
  const heard = await client.closed();
  assert.equal(heard.slice(heard.indexOf("\r\n\r\n") + 4).length, much.length);
});

test("a Pod may answer an upgrade with a regular response", async (t) => {
  const pod = await podOf(t, (_request, response) => response.writeHead(426).end("not here"));
  const { port } = await startSimulatedPod(t, pod);
  const client = new RawClient(t, port).say(
    headOf("Connection: Upgrade\r\nUpgrade: websocket\r\n"),
  );
  assert.match(await client.closed(), /^HTTP\/1.1 426 [\s\S]*not here/);
  const unreachable = await startSimulatedPod(t, null);
  const refused = new RawClient(t, unreachable.port);
  refused.say(headOf("Connection: Upgrade\r\nUpgrade: websocket\r\n"));
  assert.match(await refused.closed(), /^HTTP\/1.1 502 [\s\S]*nothing listens on it/);
});
