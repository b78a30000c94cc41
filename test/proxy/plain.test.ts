// Connections that Node's HTTP server does not see while their requests are plain, and their hand-over to it.

import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { MAX_HEAD_BYTES } from "../../src/edge/http/plain/plain-request.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { until } from "../fixtures/until.ts";
import { HOST, headOf, podOf, RawClient, rawPodOf, startSimulatedPod, textOf } from "./fixture.ts";

/** A Pod that repeats what it gets, and the number of requests that came over Node's server. */
async function echoing(t: TestContext) {
  const received: string[] = [];
  const pod = await podOf(t, async (request, response) => {
    received.push(`${request.method} ${request.url}`);
    const body = await textOf(request);
    response.setHeader("content-length", body.length + 2);
    response.end(`<${body}>`);
  });
  const simulated = await startSimulatedPod(t, pod);
  let throughNode = 0;
  for (const event of ["request", "upgrade", "checkContinue"]) {
    simulated.server.prependListener(event, () => throughNode++);
  }
  return { ...simulated, received, throughNode: () => throughNode };
}

const post = (body: string, more = "") =>
  `POST /p HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
const answers = (heard: string) => heard.match(/HTTP\/1\.1 \d+/g) ?? [];
const bodies = (heard: string) => heard.match(/<\w*>/g)?.join("") ?? "";
const untilBodies = (client: RawClient, wanted: string) =>
  client.until((heard) => bodies(heard) === wanted);

test("plain requests of a connection do not reach Node's server", async (t) => {
  const { port, throughNode } = await echoing(t);
  const client = new RawClient(t, port).say(headOf());
  await untilBodies(client, "<>");
  await untilBodies(client.say(post("one")), "<><one>");
  await untilBodies(client.say(headOf()), "<><one><>");
  assert.equal(throughNode(), 0);
  client.say(post("last", "Connection: close\r\n"));
  assert.match(await client.closed(), /\r\nConnection: close\r\n.*<last>$/s);
});

const others: [name: string, said: string, answer: RegExp][] = [
  [
    "a chunked body",
    `POST / HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    /<abc>$/,
  ],
  [
    "a request for the service itself",
    "GET / HTTP/1.1\r\nHost: other\r\n\r\n",
    /the service itself/,
  ],
  ["a header that occurs twice", headOf("X: 1\r\nX: 2\r\n"), /200 OK.*<>$/s],
  ["an odd byte", headOf("X: a\x01\r\n"), /400 Bad Request/],
  ["two Hosts", headOf("Host: other\r\n"), /400 Bad Request.*it has 2 Host headers/s],
  ["two lengths", post("abc", "Content-Length: 2\r\n"), /400 Bad Request/],
  ["a length and chunks", post("0\r\n\r\n", "Transfer-Encoding: chunked\r\n"), /400 Bad Request/],
  ["HTTP/1.0", headOf().replace("1.1", "1.0"), /200 OK.*<>/s],
  [
    "an upgrade that the Pod declines",
    headOf("Connection: Upgrade\r\nUpgrade: websocket\r\n"),
    /200 OK.*<>/s,
  ],
];

for (const [name, said, answer] of others) {
  test(`Node's server gets a connection with ${name}`, async (t) => {
    const { port, throughNode } = await echoing(t);
    for (const isOnePacket of [true, false]) {
      const before = throughNode();
      const client = new RawClient(t, port);
      if (isOnePacket) client.say(post("first") + said);
      else (await untilBodies(client.say(post("first")), "<first>")) && client.say(said);
      const heard = await client.until((heard) => answer.test(heard));
      assert.match(heard, /^HTTP\/1\.1 200 OK.*<first>HTTP\/1\.1 /s, "in order");
      assert.equal(answers(heard).length, 2);
      assert.ok(throughNode() <= before + 1, "the first is plain");
    }
  });
}

test("an upgrade may follow plain requests, with its first bytes", async (t) => {
  const pod = await podOf(t, (_request, response) => response.end("<>"));
  pod.server.on("upgrade", (_request, socket, head) => {
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n",
    );
    socket.write(head);
    socket.pipe(socket);
  });
  const { port } = await startSimulatedPod(t, pod);
  const client = new RawClient(t, port).say(headOf());
  await untilBodies(client, "<>");
  client.say(`${headOf("Connection: Upgrade\r\nUpgrade: echo\r\n")}<early>`);
  await untilBodies(client, "<><early>");
  assert.match(await untilBodies(client.say("<late>"), "<><early><late>"), /HTTP\/1\.1 101 /);
});

test("Node's server keeps a connection that it has got", async (t) => {
  const { port, throughNode } = await echoing(t);
  const client = new RawClient(t, port).say(headOf("X: 1\r\nX: 2\r\n"));
  await untilBodies(client, "<>");
  await untilBodies(client.say(post("one") + post("two")), "<><one><two>");
  assert.equal(throughNode(), 3);
});

test("a request may be split at every byte", async (t) => {
  const { port, received } = await echoing(t);
  const text = post("body") + headOf();
  const split = async (at: number) => {
    const client = new RawClient(t, port);
    client.socket.setNoDelay(true);
    await once(client.socket, "connect");
    client.say(text.slice(0, at));
    await pauseMs(5);
    const heard = await untilBodies(client.say(text.slice(at)), "<body><>");
    assert.equal(answers(heard).length, 2);
    client.socket.destroy();
  };
  for (let at = 1; at < text.length; at += 20) {
    await Promise.all(
      Array.from({ length: Math.min(20, text.length - at) }, (_, n) => split(at + n)),
    );
  }
  assert.equal(received.length, 2 * (text.length - 1));
});

test("two requests in one packet are answered in order", async (t) => {
  const { port, received, throughNode } = await echoing(t);
  const client = new RawClient(t, port).say(post("one") + post("two") + headOf());
  await untilBodies(client, "<one><two><>");
  assert.deepEqual(received, ["POST /p", "POST /p", "GET /path?q=1"]);
  assert.equal(throughNode(), 0);
});

test("a head over the limit is Node's, and one over Node's limit is 431", async (t) => {
  const { port, throughNode } = await echoing(t);
  const filled = (bytes: number) =>
    headOf(`X: ${"x".repeat(bytes - headOf("X: \r\n").length)}\r\n`);
  await untilBodies(new RawClient(t, port).say(filled(MAX_HEAD_BYTES)), "<>");
  assert.equal(throughNode(), 0);
  await untilBodies(new RawClient(t, port).say(filled(MAX_HEAD_BYTES + 1)), "<>");
  assert.equal(throughNode(), 1);
  assert.match(await new RawClient(t, port).say(filled(20_000)).closed(), /^HTTP\/1\.1 431 /);
});

test("the Pod gets a request whose body is slow before the body is complete", async (t) => {
  const { port, received, throughNode } = await echoing(t);
  const client = new RawClient(t, port).say(post("slow").slice(0, -2));
  await until(() => received.length === 1);
  assert.equal(throughNode(), 1);
  await untilBodies(client.say("ow"), "<slow>");
});

test("a body of another length than announced is no second request", async (t) => {
  const { port, received } = await echoing(t);
  const longer = new RawClient(t, port).say(`${post("body")}more\r\n\r\n`);
  assert.match(await longer.closed(), /<body>HTTP\/1\.1 400 /);
  const shorter = new RawClient(t, port).say(post("body").slice(0, -1));
  shorter.socket.end();
  assert.match(await shorter.closed(), /^HTTP\/1\.1 400 /);
  assert.deepEqual(received, ["POST /p"]);
});

test("a client that disconnects ends its request", async (t) => {
  const closed: string[] = [];
  const pod = await podOf(t, (request, response) => {
    response.on("close", () => closed.push(request.url!));
    response.write("begun");
  });
  const { port } = await startSimulatedPod(t, pod);
  for (const leave of ["end", "destroy", "resetAndDestroy"] as const) {
    const client = new RawClient(t, port).say(headOf());
    await client.until((heard) => heard.includes("begun"));
    client.socket[leave]();
    await until(() => closed.length > 0);
    assert.equal(closed.pop(), "/path?q=1");
  }
});

test("a Pod that closes early ends the response, and without a response it is 502", async (t) => {
  const pod = await rawPodOf(t, (socket) =>
    socket.once("data", (head) => {
      const begun = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort";
      socket.end(String(head).startsWith("GET") ? begun : "");
    }),
  );
  const { port } = await startSimulatedPod(t, pod);
  const client = new RawClient(t, port).say(post("one"));
  await client.until((heard) => /^HTTP\/1\.1 502 .*broke before an answer came/s.test(heard));
  const heard = await client.say(headOf()).closed();
  assert.match(heard, /HTTP\/1\.1 200 OK.*\r\nshort$/s);
});

test("a server that stops closes idle connections, and the others after their response", async (t) => {
  const finish: (() => void)[] = [];
  const pod = await podOf(t, (_request, response) => {
    finish.push(() => response.end("done"));
  });
  const { port, server } = await startSimulatedPod(t, pod);
  const silent = new RawClient(t, port);
  await once(silent.socket, "connect");
  const [idle, busy] = [0, 1].map(() => new RawClient(t, port).say(headOf())) as [
    RawClient,
    RawClient,
  ];
  await until(() => finish.length === 2);
  finish.shift()!();
  const first = await Promise.race([idle, busy].map((each) => finished(each)));
  const second = first === idle ? busy : idle;
  const stopped = new Promise((resolve) => server.close(resolve));
  await Promise.all([first.closed(), silent.closed()]);
  assert.equal(second.heard, "");
  finish.shift()!();
  assert.match(await second.closed(), /^HTTP\/1\.1 200 OK.*done/s);
  await stopped;
});

async function finished(client: RawClient): Promise<RawClient> {
  await client.until((heard) => heard.includes("done"));
  return client;
}

test("closing all connections ends requests", async (t) => {
  const sockets: Socket[] = [];
  const pod = await rawPodOf(t, (socket) => void sockets.push(socket));
  const { port, server } = await startSimulatedPod(t, pod);
  const client = new RawClient(t, port).say(headOf());
  await until(() => sockets.length === 1);
  server.closeAllConnections();
  assert.equal(await client.closed(), "");
});
