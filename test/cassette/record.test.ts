// Recordings of a session of a real client with a second Freehold, and their replays.

import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { systemClock } from "../../src/base/clock.ts";
import { Refusal } from "../../src/base/refusal.ts";
import { readCassette } from "../../src/cassette/format/read-cassette.ts";
import { startRecording } from "../../src/cassette/record/recording.ts";
import { createReplay } from "../../src/cassette/replay/replayer.ts";
import { closeServer, listenOn } from "../../src/cassette/server.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { startService } from "../fixtures/service/service.ts";
import { emptyFolder } from "./empty-folder.ts";
import { runSession, serveSession } from "./session.ts";

const FREE = "127.0.0.1:0";

async function recordingOf(t: TestContext, upstream: string, file: string) {
  const problems: string[] = [];
  const deps = {
    clock: systemClock,
    onCall: () => {},
    onProblem: (each: string) => problems.push(each),
  };
  const recording = await startRecording({ upstreams: [upstream], file, listen: FREE }, deps);
  let closed: Promise<void> | null = null;
  const close = () => (closed ??= recording.close());
  addCleanup(t, close);
  return { ...recording, close, problems };
}

async function replayOf(t: TestContext, file: string) {
  const unmatched: string[] = [];
  const deps = { now: systemClock.now, onUnmatched: (each: string) => unmatched.push(each) };
  const replay = createReplay(readCassette(file), deps);
  const origin = await listenOn(replay.server, FREE);
  addCleanup(t, () => closeServer(replay.server));
  return { origin, unmatched, counts: replay.counts };
}

/** A server with these answers; returns its origin. */
async function upstreamOf(t: TestContext, answer: http.RequestListener): Promise<string> {
  const server = http.createServer(answer);
  addCleanup(t, () => closeServer(server));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a session is recorded, equal each time, and replays to its client", async (t) => {
  const folder = emptyFolder(t);
  const results: unknown[] = [];
  const files = ["a.jsonl", "b.jsonl"].map((name) => path.join(folder, name));
  let key = "";
  for (const file of files) {
    const service = await startService(t);
    await serveSession(service);
    const recording = await recordingOf(t, service.origin, file);
    results.push(await runSession(recording.origin, service.key));
    assert.deepEqual(recording.problems, []);
    await recording.close();
    key = service.key;
  }
  const [text, again] = files.map((file) => readFileSync(file, "utf8"));
  // Not compared as one text: a failure would print both.
  assert.deepEqual(
    text!.split("\n").filter((line) => !again!.includes(line)),
    [],
  );
  assert.equal(text!.length, again!.length);
  assert.deepEqual(results[0], results[1]);
  assert.ok(!text!.includes("hidden") && !text!.includes(key.slice(3)));
  assert.equal(statSync(files[0]!).mode & 0o777, 0o600);

  const replay = await replayOf(t, files[0]!);
  assert.deepEqual(await runSession(replay.origin, "any-key"), results[0]);
  assert.deepEqual(replay.unmatched, []);
  const { calls } = readCassette(files[0]!);
  assert.deepEqual(replay.counts(), { answered: calls.length, unmatched: 0 });
});

test("bodies stream through a recording in both directions", async (t) => {
  const file = path.join(emptyFolder(t), "a.jsonl");
  const upstream = await upstreamOf(t, (request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    request.on("data", (piece) => response.write(`data: {"got":"${piece}"}\n\n`));
    request.on("end", () => response.end("data: [DONE]\n\n"));
  });
  const recording = await recordingOf(t, upstream, file);
  const request = http.request(`${recording.origin}/v2/a/openai/v1/x`, { method: "POST" });
  const answered = new Promise<http.IncomingMessage>((resolve) => request.on("response", resolve));
  request.write("one");
  const answer = await answered;
  answer.setEncoding("utf8");
  const pieces = answer[Symbol.asyncIterator]();
  // The first piece arrives before the second is sent.
  assert.match((await pieces.next()).value, /one/);
  request.end("two");
  assert.match((await pieces.next()).value, /two/);
  let rest = await pieces.next();
  while (!rest.done) rest = await pieces.next();
  const [call] = readCassette(file).calls;
  const text = 'data: {"got":"one"}\n\ndata: {"got":"two"}\n\ndata: [DONE]\n\n';
  assert.deepEqual(call?.answer.body, { text });
  assert.deepEqual(call?.body, { text: "onetwo" });
});

test("calls below a path can go to an upstream of their own", async (t) => {
  const file = path.join(emptyFolder(t), "a.jsonl");
  const answer =
    (name: string): http.RequestListener =>
    (request, response) =>
      response.end(`${name} ${request.url}`);
  const spec = [
    await upstreamOf(t, answer("one")),
    `/graphql=${await upstreamOf(t, answer("two"))}/base/`,
  ];
  const deps = { clock: systemClock, onCall: () => {}, onProblem: () => {} };
  const recording = await startRecording({ upstreams: spec, file, listen: FREE }, deps);
  addCleanup(t, recording.close);
  const textOf = async (place: string) => (await fetch(recording.origin + place)).text();
  assert.equal(await textOf("/v1/pods?a=b"), "one /v1/pods?a=b");
  assert.equal(await textOf("/graphql"), "two /base/graphql");
  assert.equal(await textOf("/graphqls"), "one /graphqls");
});

test("a call that is not recorded gets a sentence with the nearest recorded call", async (t) => {
  const file = path.join(emptyFolder(t), "a.jsonl");
  const upstream = await upstreamOf(t, (_, response) => response.end('{"id":"a1b2c3d4e5f6g7"}'));
  const recording = await recordingOf(t, upstream, file);
  const send = (origin: string, place: string, body?: object, method = body ? "POST" : "GET") =>
    fetch(origin + place, { method, ...(body && { body: JSON.stringify(body) }) });
  await send(recording.origin, "/v2/shop/run", { input: { name: "you" } });
  await send(recording.origin, "/v2/shop/status/a1b2c3d4e5f6g7");
  const { origin, unmatched } = await replayOf(t, file);

  const other = await send(origin, "/v2/shop/run", { input: { name: "me" } });
  assert.equal(other.status, 400);
  const { code, error } = (await other.json()) as Record<string, string>;
  assert.equal(code, "not_recorded");
  const first = "the nearest is call 1, POST /v2/shop/run";
  const difference = 'where input.name is "you" instead of "me"';
  assert.equal(error, `POST /v2/shop/run is not in the cassette; ${first}, ${difference}`);
  await send(origin, "/v2/shop/status/other");
  assert.match(unmatched.at(-1)!, /nearest is call 2, GET \/v2\/shop\/status\/\{\{id:1\}\}$/);

  const body = { input: { name: "you" } };
  const { id } = (await (await send(origin, "/v2/shop/run", body)).json()) as { id: string };
  // A read may be repeated, a write may not.
  for (let n = 0; n < 3; n++)
    assert.equal((await send(origin, `/v2/shop/status/${id}`)).status, 200);
  assert.equal((await send(origin, "/v2/shop/run", body)).status, 400);
  assert.match(unmatched.at(-1)!, /was recorded once, and is called once more/);
});

test("an upstream that fails is reported to the client, and the call is not recorded", async (t) => {
  const file = path.join(emptyFolder(t), "a.jsonl");
  const upstream = await upstreamOf(t, (request, response) => {
    if (request.url === "/half") response.write("ha", () => response.destroy());
    else request.socket.destroy();
  });
  const recording = await recordingOf(t, upstream, file);
  const answer = await fetch(`${recording.origin}/gone?api_key=hidden`);
  assert.equal(answer.status, 502);
  assert.match(await answer.text(), /"code":"upstream_unreachable"/);
  assert.match(recording.problems[0]!, /^GET \/gone is not recorded: 127\.0\.0\.1:\d+ does not/);
  await assert.rejects(fetch(`${recording.origin}/half`).then((half) => half.text()));
  assert.deepEqual(readCassette(file).calls, []);
});

test("a cassette that cannot be read names its line", (t) => {
  const file = path.join(emptyFolder(t), "a.jsonl");
  const header = '{"cassette":"freehold","version":1}';
  const call = '{"method":"GET","path":"/a","headers":{},"answer":{"status":200,"headers":{}}}';
  const refusalOf = (text: string) => {
    writeFileSync(file, text);
    try {
      readCassette(file);
    } catch (error) {
      assert.ok(error instanceof Refusal);
      return error.message;
    }
  };
  assert.equal(refusalOf(`${header}\n${call}\n`), undefined);
  assert.match(
    refusalOf(`${header}\n${call}\n{"a\n${call}\n`)!,
    /damaged at line 3: it is no JSON/,
  );
  const wrong = call.replace("200", "999");
  assert.match(refusalOf(`${header}\n${wrong}\n`)!, /damaged at line 2: \/answer\/status must/);
  const later = header.replace("1", "2");
  assert.match(refusalOf(`${later}\n${call}\n`)!, /version 2, and this Freehold reads version 1/);
  assert.match(refusalOf("PK\u0003")!, /is no cassette: line 1/);
  assert.match(refusalOf("")!, /is no cassette: line 1/);
  rmSync(file);
  assert.throws(() => readCassette(file), /there is no cassette .*freehold record/);

  // A recording was killed in the middle of its third line.
  writeFileSync(file, `${header}\n${call}\n${call.slice(0, 30)}`);
  const { calls, unfinishedLine } = readCassette(file);
  assert.deepEqual([calls.length, unfinishedLine], [1, 3]);
});
