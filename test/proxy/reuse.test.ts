// Tests of connections to a Pod that are used again, also by requests that must not be sent twice.

import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import type { Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { systemTicks } from "../../src/base/clock.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { until } from "../fixtures/until.ts";
import { ask, HOST, podOf, RawClient, rawPodOf, startSimulatedPod, textOf } from "./fixture.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const POST = { method: "POST", body: "x" };

/** A Pod that answers each request with `answer`, and counts the requests that reach it. */
async function countingPod(t: TestContext, answer: (socket: Socket, nth: number) => void) {
  let count = 0;
  const pod = await rawPodOf(t, (socket) => {
    let nth = 0;
    socket.on("data", () => {
      count++;
      answer(socket, nth++);
    });
  });
  return { ...(await startSimulatedPod(t, pod)), received: () => count };
}

test("requests with and without a body share a connection", async (t) => {
  const pod = await podOf(t, async (incoming, response) => {
    response.end(`${incoming.method} ${await textOf(incoming)}`, "latin1");
  });
  const { port, dialed } = await startSimulatedPod(t, pod);
  for (const body of ["", "x", "é".repeat(200_000)]) {
    const expected = Buffer.from(body).toString("latin1");
    const framings: Record<string, string>[] = [
      { "content-length": String(expected.length) },
      { "transfer-encoding": "chunked" },
    ];
    for (const headers of framings) {
      for (const method of ["POST", "PUT", "DELETE"]) {
        const { text } = await ask(port, { method, body, headers });
        assert.ok(text === `${method} ${expected}`, `${method} of ${body.length} characters`);
      }
    }
    assert.equal((await ask(port)).text, "GET ");
  }
  assert.equal(dialed(), 1);
});

test("a body that comes slowly and in pieces arrives in whole, and its connection is used again", async (t) => {
  const pod = await podOf(t, async (incoming, response) => {
    response.end(await textOf(incoming));
  });
  const { port, dialed } = await startSimulatedPod(t, pod);
  const client = new RawClient(t, port);
  for (let n = 1; n <= 3; n++) {
    client.say(`POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 6\r\n\r\n`);
    for (const piece of ["ab", "cd", "ef"]) {
      await pauseMs(5);
      client.say(piece);
    }
    await client.until((heard) => heard.split("abcdef").length === n + 1);
  }
  assert.equal(dialed(), 1);
});

test("a request that must not be repeated finds out that the Pod has closed its connection", async (t) => {
  const { port, dialed, received } = await countingPod(t, (socket) => {
    socket.write(OK);
    setImmediate(() => socket.end());
  });
  for (let n = 0; n < 20; n++) assert.equal((await ask(port, POST)).text, "ok");
  assert.deepEqual([dialed(), received()], [20, 20]);
});

test("it is sent once if the Pod closes the connection at the moment of its use", async (t) => {
  const { port, dialed, received } = await countingPod(t, (socket, nth) => {
    if (nth > 0) socket.resetAndDestroy();
    else socket.write(OK);
  });
  assert.equal((await ask(port, POST)).text, "ok");
  const { answer, text } = await ask(port, POST);
  assert.equal(answer.statusCode, 502);
  assert.match(JSON.parse(text).message, /broke before an answer came/);
  assert.deepEqual([dialed(), received()], [1, 2]);
  assert.equal((await ask(port, POST)).text, "ok");
  // A repeatable request is sent once more.
  assert.equal((await ask(port)).text, "ok");
  assert.deepEqual([dialed(), received()], [3, 5]);
});

test("it takes only a connection that was used a moment ago, of a Pod that keeps connections", async (t) => {
  const { port, dialed } = await countingPod(t, (socket) => socket.write(OK));
  await ask(port, POST);
  const now = systemTicks();
  t.mock.method(performance, "now", () => now + 1_000);
  await ask(port);
  assert.equal(dialed(), 1, "a repeatable request uses it for longer");
  t.mock.restoreAll();
  t.mock.method(performance, "now", () => now + 1_800);
  await ask(port, POST);
  assert.equal(dialed(), 2);
  t.mock.restoreAll();
  const brief = await countingPod(t, (socket) =>
    socket.write(OK.replace("OK\r\n", "OK\r\nKeep-Alive: timeout=1\r\n")),
  );
  for (let n = 1; n <= 3; n++) {
    await ask(brief.port, POST);
    assert.equal(brief.dialed(), n);
  }
});

test("a connection is not used again after a response to half a request", async (t) => {
  const { port, dialed } = await countingPod(t, (socket, nth) => {
    if (nth === 0) socket.write(OK);
  });
  const client = new RawClient(t, port);
  const head = `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 4\r\n\r\n`;
  for (let n = 1; n <= 3; n++) {
    client.say(`${head}ab`);
    await client.until((heard) => heard.split("ok").length === n + 1);
    client.say("cd");
    assert.equal(dialed(), n);
  }
});

test("a client that leaves in the middle of its body ends the request to the Pod", async (t) => {
  let received = 0;
  const closed: Promise<unknown>[] = [];
  const pod = await rawPodOf(t, (socket) => {
    socket.on("data", (piece) => {
      received += piece.length;
    });
    closed.push(once(socket, "close"));
  });
  const { port } = await startSimulatedPod(t, pod);
  const headers = { host: HOST, "content-length": "1000" };
  const outgoing = request({ port, host: "127.0.0.1", method: "POST", headers });
  outgoing.on("error", () => {});
  outgoing.write("begun");
  await until(() => received > 0);
  outgoing.destroy();
  await Promise.all(closed);
});

test("a response of an unusual form is read by Node's client, and its request is sent once", async (t) => {
  const unusual = "\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const pieces of [
    [`${unusual}3\r\nabc\r\n0\r\n\r\n`],
    [unusual, "3\r\nab", "c\r\n0\r\n\r\n"],
  ]) {
    const { port, dialed, received } = await countingPod(t, async (socket) => {
      for (const piece of pieces) {
        socket.write(piece);
        await pauseMs(5);
      }
    });
    for (const [n, method] of ["POST", "GET", "POST"].entries()) {
      const { answer, text } = await ask(port, { method, ...(method === "POST" && { body: "x" }) });
      assert.deepEqual([answer.statusCode, text], [200, "abc"]);
      assert.deepEqual([dialed(), received()], [n + 1, n + 1]);
    }
  }
});
