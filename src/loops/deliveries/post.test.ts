// One POST against receivers on loopback, and the rule about where it may go.

import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { systemClock } from "../../base/clock.ts";
import type { Resolve } from "../../base/name-servers.ts";
import type { ReachRule } from "../../domain/webhook/address.ts";
import type { ReadText } from "../../flows/payload/read-text.ts";
import { post } from "./post.ts";

const anywhere: ReachRule = { anywhere: true, allow: [] };
const publicOnly: ReachRule = { anywhere: false, allow: [] };

async function receiver(t: TestContext, listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

interface Try {
  reach?: ReachRule;
  timeoutMs?: number;
  resolve?: Resolve;
  body?: ReadText;
  signal?: AbortSignal;
}

function send(url: string, desired: Try = {}) {
  const { reach = anywhere, timeoutMs = 5_000, resolve, body = { text: "{}" } } = desired;
  const signal = desired.signal ?? new AbortController().signal;
  const options = { clock: systemClock, timeoutMs, reach, signal, ...(resolve && { resolve }) };
  return post({ url, headers: { "x-test": "1" }, body }, options);
}

test("a chunked body arrives complete, with its length announced", async (t) => {
  let received = { length: "", bytes: 0 };
  const port = await receiver(t, (request, response) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on("end", () => {
      received = { length: request.headers["content-length"]!, bytes };
      response.end("thank you");
    });
  });
  const piece = Buffer.alloc(256 * 1_024, "x");
  async function* pieces() {
    for (let n = 0; n < 40; n++) yield piece;
  }
  const bytes = 40 * piece.length;
  const outcome = await send(`http://127.0.0.1:${port}/`, { body: { bytes, pieces } });
  assert.deepEqual(outcome, { status: 200, error: null });
  assert.deepEqual(received, { length: String(bytes), bytes });

  const short = await send(`http://127.0.0.1:${port}/`, { body: { bytes: bytes + 1, pieces } });
  assert.deepEqual(short, { status: null, error: "the job changed while it was being sent" });
});

test("a redirect is a response and is not followed", async (t) => {
  const paths: string[] = [];
  const port = await receiver(t, (request, response) => {
    paths.push(request.url!);
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  const outcome = await send(`http://127.0.0.1:${port}/here`);
  assert.deepEqual(outcome, {
    status: 307,
    error: "it answered 307, and redirects are not followed",
  });
  assert.deepEqual(paths, ["/here"]);
});

test("a receiver that never responds is given up, and one whose response never ends is not", async (t) => {
  const port = await receiver(t, (request, response) => {
    if (request.url === "/endless") response.writeHead(200).write("and so on");
  });
  assert.deepEqual(await send(`http://127.0.0.1:${port}/silent`, { timeoutMs: 50 }), {
    status: null,
    error: "no answer within 0.05 s",
  });
  const endless = await send(`http://127.0.0.1:${port}/endless`, { timeoutMs: 300 });
  assert.deepEqual(endless, { status: 200, error: null });
});

test("a broken connection is reported with a sentence", async (t) => {
  const port = await receiver(t, (request) => request.socket.destroy());
  const broken = await send(`http://127.0.0.1:${port}/`);
  assert.equal(broken.error, "the connection was closed before an answer came");
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const free = (closed.address() as AddressInfo).port;
  await new Promise((resolve) => closed.close(resolve));
  assert.equal((await send(`http://127.0.0.1:${free}/`)).error, "the connection was refused");
});

test("an abort ends a try without a response", async (t) => {
  const stop = new AbortController();
  const port = await receiver(t, () => stop.abort());
  const outcome = await send(`http://127.0.0.1:${port}/`, { signal: stop.signal });
  assert.equal(outcome.status, null);
});

// host in the URL, what a name server answers, and whether the receiver is reached
const reaches: [host: string, found: string[], reached: boolean, rule?: ReachRule][] = [
  ["127.0.0.1", [], false],
  ["2130706433", [], false],
  ["0x7f.1", [], false],
  ["127.0.0.1.", [], false],
  ["[::1]", [], false],
  ["[::ffff:127.0.0.1]", [], false],
  ["169.254.169.254", [], false],
  ["inside.example.org", ["127.0.0.1"], false],
  ["inside.example.org", ["10.0.0.1", "fd00::1"], false],
  ["inside.example.org", ["::ffff:7f00:1"], false],
  ["localhost", ["127.0.0.1"], false],
  ["127.0.0.1", [], true, { anywhere: false, allow: ["127.0.0.1"] }],
  ["localhost", [], true, { anywhere: false, allow: ["localhost"] }],
  ["localhost", ["127.0.0.1"], false, { anywhere: false, allow: ["other.example.org"] }],
  ["127.0.0.1", [], true, anywhere],
];

for (const [host, found, reached, rule = publicOnly] of reaches) {
  const called = `${host} at ${found.join(", ") || "itself"}`;
  test(`${called} is ${reached ? "reached" : "refused"} by ${JSON.stringify(rule)}`, async (t) => {
    let requests = 0;
    const port = await receiver(t, (_request, response) => {
      requests++;
      response.end();
    });
    const resolve: Resolve = async () =>
      found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const outcome = await send(`http://${host}:${port}/`, { reach: rule, resolve });
    assert.equal(requests, reached ? 1 : 0);
    if (reached) assert.equal(outcome.status, 200);
    else assert.match(outcome.error!, /only if FREEHOLD_WEBHOOK_ALLOW names the host$/);
  });
}
