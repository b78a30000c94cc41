// Tests of how proxied requests end: by the client, by the Pod, by its container, and with a
// reason.

import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { ask, HOST, podOf, RawClient, rawPodOf, startSimulatedPod, textOf } from "./fixture.ts";

test("a closed connection on one side closes the other side", async (t) => {
  const waiting: ServerResponse[] = [];
  const pod = await podOf(t, (request, response) => {
    waiting.push(response);
    if (request.url === "/half") response.write("half");
    if (request.url === "/half") setImmediate(() => response.destroy());
  });
  const { port } = await startSimulatedPod(t, pod);
  const outgoing = request({ port, host: "127.0.0.1", headers: { host: HOST } }).end();
  outgoing.on("error", () => {});
  await until(() => waiting.length > 0);
  outgoing.destroy();
  await once(waiting[0]!, "close");
  const half = request({ port, host: "127.0.0.1", path: "/half", headers: { host: HOST } }).end();
  const [answer] = (await once(half, "response")) as [IncomingMessage];
  await assert.rejects(textOf(answer), /aborted/);
});

test("a response that precedes the end of the request is passed on", async (t) => {
  const pod = await podOf(t, (_request, response) => {
    response.writeHead(413, { connection: "close" }).end("enough");
  });
  const { port } = await startSimulatedPod(t, pod);
  const client = new RawClient(t, port).say(
    `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 10000000\r\n\r\n`,
  );
  client.say("x".repeat(100_000));
  await client.until((heard) => /^HTTP\/1.1 413 [\s\S]*enough/.test(heard));
});

const bad: [name: string, said: string, why: RegExp][] = [
  ["nothing", "", /broke before an answer came/],
  ["something else", "SSH-2.0-OpenSSH\r\n", /not valid HTTP/],
  [
    "two lengths",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
    /not valid HTTP/,
  ],
  [
    "a length and chunks",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    /not valid HTTP/,
  ],
  ["endless headers", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}\r\n\r\n`, /not valid HTTP/],
];

for (const [name, said, why] of bad) {
  test(`a Pod that responds with ${name} is 502 with the reason`, async (t) => {
    const pod = await rawPodOf(t, (socket) => socket.once("data", () => socket.end(said)));
    const { port } = await startSimulatedPod(t, pod);
    const { answer, text } = await ask(port);
    assert.equal(answer.statusCode, 502);
    assert.match(JSON.parse(text).message, why);
  });
}

test("a port without a listener is 502, as a page for browsers", async (t) => {
  const { port } = await startSimulatedPod(t, null);
  const { answer, text } = await ask(port, { headers: { accept: "text/html,*/*" } });
  assert.deepEqual([answer.statusCode, answer.headers["retry-after"]], [502, "1"]);
  assert.match(text, /<p>Port 80 of Pod pod is unreachable: nothing listens on it\.<\/p>/);
  const posted = await ask(port, { method: "POST", body: "x".repeat(300_000) });
  assert.equal(JSON.parse(posted.text).code, "pod_unreachable");
});

test("a reused connection that the Pod has closed does not fail the request", async (t) => {
  const pod = await rawPodOf(t, (socket) => {
    let outgoing = 0;
    socket.on("data", () => {
      // The second request on a connection finds it closed.
      if (outgoing++ > 0) return socket.resetAndDestroy();
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
  });
  const simulated = await startSimulatedPod(t, pod);
  for (let n = 0; n < 6; n++) assert.equal((await ask(simulated.port)).text, "ok");
});

test("an unexpected 100 Continue is passed over, and a Pod may close after each response", async (t) => {
  const said = ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"];
  const eager = await rawPodOf(t, (socket) => socket.on("data", () => socket.write(said.join(""))));
  const closing = await rawPodOf(t, (socket) =>
    socket.on("data", () => socket.end(said[1]!.replace("OK\r\n", "OK\r\nConnection: close\r\n"))),
  );
  for (const pod of [eager, closing]) {
    const { port } = await startSimulatedPod(t, pod);
    for (let n = 0; n < 3; n++) assert.equal((await ask(port)).text, "ok");
  }
});

test("bytes after a Pod's response do not reach any client", async (t) => {
  const answer = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${text}`;
  const pod = await rawPodOf(t, (socket) => {
    socket.on("data", () => socket.write(answer("ok") + answer("no")));
  });
  const { port } = await startSimulatedPod(t, pod);
  for (let n = 0; n < 5; n++) assert.equal((await ask(port)).text, "ok");
});

test("when a container ends, its connections end and no new one is opened", async (t) => {
  const pod = await podOf(t, (request, response) => {
    if (request.url === "/held") response.write("begun");
    else response.end("x");
  });
  const closed: Promise<unknown>[] = [];
  pod.server.on("connection", (socket) => closed.push(once(socket, "close")));
  const simulated = await startSimulatedPod(t, pod);
  await ask(simulated.port);
  const held = request({
    port: simulated.port,
    host: "127.0.0.1",
    path: "/held",
    headers: { host: HOST },
  });
  const [answer] = (await once(held.end(), "response")) as [IncomingMessage];
  simulated.end();
  await assert.rejects(textOf(answer), /aborted/);
  await Promise.all(closed);
  assert.equal((await ask(simulated.port)).answer.statusCode, 502);
});
