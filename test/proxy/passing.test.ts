// Tests of proxied requests and responses: unchanged, streamed in both directions, and closed with
// either side.

import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { test } from "node:test";
import { untilUnchanged } from "../fixtures/until.ts";
import { ask, HOST, headOf, podOf, RawClient, startSimulatedPod, textOf } from "./fixture.ts";

test("requests and responses pass unchanged", async (t) => {
  const pod = await podOf(t, async (request, response) => {
    const body = await textOf(request);
    response.writeHead(418, "Short And Stout", ["X-Two", "1", "X-Two", "2", "Set-Cookie", "a=b"]);
    response.end(JSON.stringify([request.method, request.url, request.headers["x-one"], body]));
  });
  const { port } = await startSimulatedPod(t, pod);
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "GET", "PROPFIND"]) {
    const { answer, text } = await ask(port, {
      method,
      path: "/a//b/../c?x=%20&y",
      headers: { "x-one": "1", "content-length": "4" },
      body: "body",
    });
    assert.deepEqual(JSON.parse(text), [method, "/a//b/../c?x=%20&y", "1", "body"]);
    assert.deepEqual([answer.statusCode, answer.statusMessage], [418, "Short And Stout"]);
    assert.equal(answer.headers["x-two"], "1, 2");
    assert.deepEqual(answer.headers["set-cookie"], ["a=b"]);
  }
});

test("on a Pod's host name every path goes to the Pod", async (t) => {
  const pod = await podOf(t, (request, response) => response.end(`the Pod: ${request.url}`));
  const { port } = await startSimulatedPod(t, pod);
  for (const path of ["/v1/pods", "/healthz", "/replica/pods/x", "/v2/hello/run"]) {
    assert.equal((await ask(port, { path })).text, `the Pod: ${path}`);
  }
  assert.equal((await ask(port, { headers: { host: "127.0.0.1" } })).text, "the service itself");
  const nobody = await ask(port, { headers: { host: "x.proxy.localhost" } });
  assert.deepEqual([nobody.answer.statusCode, JSON.parse(nobody.text).code], [404, "no_such_site"]);
});

test("the host of an absolute URL must match the requested host", async (t) => {
  const pod = await podOf(t, (request, response) => response.end(request.url));
  const { port } = await startSimulatedPod(t, pod);
  assert.equal((await ask(port, { path: `http://${HOST}:1/a?b` })).text, "/a?b");
  const other = await ask(port, { path: "http://127.0.0.1/v1/pods" });
  assert.deepEqual([other.answer.statusCode, JSON.parse(other.text).code], [400, "invalid_http"]);
});

test("chunks are passed on as they arrive, in both directions", async (t) => {
  const pod = await podOf(t, (request, response) => {
    response.flushHeaders();
    request.on("data", (piece) => response.write(`<${piece}>`));
    request.on("end", () => response.end("over"));
  });
  const { port } = await startSimulatedPod(t, pod);
  const client = new RawClient(t, port);
  client.say(`POST / HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  for (const piece of ["a", "b", "c"]) {
    client.say(`1\r\n${piece}\r\n`);
    await client.until((heard) => heard.includes(`<${piece}>`));
  }
  client.say("0\r\n\r\n");
  await client.until((heard) => heard.includes("over"));
});

test("headers are passed on before the body begins", async (t) => {
  let held: ServerResponse | null = null;
  const pod = await podOf(t, (_request, response) => {
    held = response;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
  });
  const { port } = await startSimulatedPod(t, pod);
  const outgoing = request({ port, host: "127.0.0.1", headers: { host: HOST } }).end();
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  assert.equal(answer.headers["content-type"], "text/event-stream");
  held!.end("data: 1\n\n");
  assert.equal(await textOf(answer), "data: 1\n\n");
});

test("a slow reader slows the sender down", async (t) => {
  const piece = Buffer.alloc(65_536, "x");
  let sent = 0;
  const pod = await podOf(t, (request, response) => {
    const more = () => {
      if (request.url === "/up") return request.pause();
      while (!response.destroyed && sent < 2 ** 28) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once("drain", more);
      }
    };
    more();
  });
  const { port } = await startSimulatedPod(t, pod);
  const outgoing = request({ port, host: "127.0.0.1", headers: { host: HOST } }).end();
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  answer.pause();
  // Once the count stops, all buffers on the path are full.
  await untilUnchanged(() => sent);
  assert.ok(sent < 2 ** 26, `${sent} bytes were taken from the Pod`);
  outgoing.destroy();
});

test("trailers pass in both directions", async (t) => {
  const pod = await podOf(t, async (request, response) => {
    await textOf(request);
    response.writeHead(200, { trailer: "X-Sum" });
    response.write("body");
    response.addTrailers({ "X-Sum": request.trailers["x-asked"] ?? "none" });
    response.end();
  });
  const { port } = await startSimulatedPod(t, pod);
  const client = new RawClient(t, port);
  client.say(
    `POST / HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\nTrailer: X-Asked\r\n\r\n`,
  );
  client.say("3\r\nabc\r\n0\r\nX-Asked: 42\r\n\r\n");
  assert.match(
    await client.until((heard) => /\r\n0\r\n.*\r\n\r\n$/s.test(heard)),
    /\r\n0\r\nX-Sum: 42\r\n/,
  );
});

test("a body is requested when the Pod sends 100 Continue", async (t) => {
  const pod = await podOf(t, async (request, response) => response.end(await textOf(request)));
  pod.server.on("checkContinue", (request, response: ServerResponse) => {
    if (request.url === "/no") return response.writeHead(413).end("too much");
    response.writeContinue();
    pod.server.emit("request", request, response);
  });
  const { port } = await startSimulatedPod(t, pod);
  const expecting = (path: string) =>
    `PUT ${path} HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n`;
  const client = new RawClient(t, port).say(expecting("/yes"));
  await client.until((heard) => heard === "HTTP/1.1 100 Continue\r\n\r\n");
  assert.match(await client.say("abc").until((heard) => heard.endsWith("abc")), /HTTP\/1.1 200/);
  const refused = new RawClient(t, port).say(expecting("/no"));
  const heard = await refused.closed();
  assert.match(heard, /^HTTP\/1.1 413 [\s\S]*\r\nConnection: close\r\n[\s\S]*too much\r\n/);
});

test("early hints are passed on", async (t) => {
  const pod = await podOf(t, (_request, response) => {
    response.writeEarlyHints({
      link: "</style.css>; rel=preload",
      "set-cookie": "a=b; Domain=other.example.org",
      "clear-site-data": '"*"',
      "strict-transport-security": "max-age=9",
      "alt-svc": "h3",
    });
    response.end("page");
  });
  const { port } = await startSimulatedPod(t, pod);
  const client = new RawClient(t, port).say(headOf());
  const heard = await client.until((heard) => heard.includes("page"));
  assert.match(
    heard,
    /^HTTP\/1.1 103 Early Hints\r\nLink: <\/style.css>; rel=preload\r\n\r\nHTTP\/1.1 200/i,
  );
});

test("a response without a body has none, and one without a length is framed for the client's HTTP version", async (t) => {
  const pod = await podOf(t, (request, response) => {
    if (request.url === "/204") return response.writeHead(204).end();
    if (request.url === "/304") return response.writeHead(304, { etag: '"1"' }).end();
    if (request.method === "HEAD") return response.writeHead(200, { "content-length": "99" }).end();
    response.write("no length");
    response.end();
  });
  const { port } = await startSimulatedPod(t, pod);
  for (const path of ["/204", "/304"]) {
    const { answer, text } = await ask(port, { path });
    assert.deepEqual([`/${answer.statusCode}`, text], [path, ""]);
  }
  assert.equal((await ask(port, { method: "HEAD" })).answer.headers["content-length"], "99");
  const old = new RawClient(t, port).say(`GET / HTTP/1.0\r\nHost: ${HOST}\r\n\r\n`);
  const heard = await old.closed();
  assert.doesNotMatch(heard, /transfer-encoding/i);
  assert.match(heard, /\r\n\r\nno length$/);
});

test("an empty POST stays empty", async (t) => {
  const pod = await podOf(t, async (request, response) => {
    response.end(JSON.stringify([request.headers["content-length"], await textOf(request)]));
  });
  const { port } = await startSimulatedPod(t, pod);
  for (const method of ["POST", "PROPFIND"]) {
    const client = new RawClient(t, port).say(`${method} / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
    await client.until((heard) => heard.includes('["0",""]'));
  }
});

test("an upgrade to another HTTP version is not passed on", async (t) => {
  const pod = await podOf(t, (request, response) => {
    response.end(JSON.stringify([request.headers.upgrade ?? null, request.headers.connection]));
  });
  const { port } = await startSimulatedPod(t, pod);
  const client = new RawClient(t, port);
  client.say(
    headOf("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n"),
  );
  await client.until((heard) => heard.includes('[null,"keep-alive"]'));
});

test("a request with ambiguous framing is not read as two", async (t) => {
  const received: string[] = [];
  const pod = await podOf(t, async (request, response) => {
    received.push(`${request.method} ${request.url} ${await textOf(request)}`);
    response.end("x");
  });
  const { port } = await startSimulatedPod(t, pod);
  const inner = `GET /smuggled HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
  const client = new RawClient(t, port);
  client.say(headOf(`Connection: content-length\r\nContent-Length: ${inner.length}\r\n`) + inner);
  await client.until((heard) => heard.includes("\r\n\r\n"));
  assert.deepEqual(received, [`GET /path?q=1 ${inner}`]);
});
