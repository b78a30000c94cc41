// /v2/<endpoint>/openai/<path>: a worker image for language models behind the address that OpenAI's
// clients use.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHouse, type TestHouse } from "../house.ts";

/** Sends a request and hands the job that it became to a worker. */
async function ask(house: TestHouse, method: string, path: string, body?: unknown) {
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const poll = worker.call("job-take");
  const reply = house.call(method, `/v2/${endpoint}/openai${path}`, body);
  const job = (await poll).json;
  const post = async (route: string, text: string) => {
    assert.equal((await worker.call(`${route}/${job.id}`, "&isStream=true", text)).status, 200);
  };
  return {
    endpoint,
    worker,
    job,
    reply,
    yields: (output: unknown) => post("job-stream", JSON.stringify({ output })),
    ends: (body: string) => post("job-done", body),
  };
}

test("a question becomes a job, and the object yielded is the reply", async (t) => {
  const house = await startHouse(t);
  const asked = await ask(house, "POST", "/v1/chat/completions", { model: "m", n: 1 });
  assert.deepEqual(asked.job.input, {
    openai_route: "/v1/chat/completions",
    openai_input: { model: "m", n: 1 },
  });
  await asked.yields({ choices: [{ text: "é😀" }] });
  await asked.ends('{"output":[{"choices":[{"text":"é😀"}]}]}');
  const { status, text, headers } = await asked.reply;
  assert.deepEqual([status, text], [200, '{"choices":[{"text":"é😀"}]}']);
  assert.match(headers.get("content-type") ?? "", /^application\/json/);
});

test("a GET has a route and no input of its own", async (t) => {
  const house = await startHouse(t);
  const asked = await ask(house, "GET", "/v1/models");
  assert.deepEqual(asked.job.input, { openai_route: "/v1/models" });
  await asked.ends('{"output":{"data":[]}}');
  assert.deepEqual((await asked.reply).json, { data: [] });
});

test("several yields, one of them before the end, answer with the first", async (t) => {
  const house = await startHouse(t);
  const asked = await ask(house, "POST", "/v1/completions", {});
  await asked.yields({ first: true });
  await asked.yields({ second: true });
  await asked.ends('{"output":[]}');
  assert.deepEqual((await asked.reply).json, { first: true });
});

test("an object too large for one chunk comes out whole", async (t) => {
  const house = await startHouse(t);
  const asked = await ask(house, "POST", "/v1/embeddings", {});
  const object = { data: Array.from({ length: 200_000 }, (_, n) => n / 7) };
  await asked.yields(object);
  await asked.ends('{"output":[]}');
  assert.deepEqual((await asked.reply).json, object);
});

test("text that is streamed goes out as it was yielded, cut anywhere", async (t) => {
  const house = await startHouse(t);
  const asked = await ask(house, "POST", "/v1/completions", { stream: true });
  const pieces = ['data: {"a"', ':1}\n\ndata: {"é":"', "😀", '"}\n\ndata: [DONE]\n\n'];
  for (const piece of pieces) await asked.yields(piece);
  await asked.ends('{"output":[]}');
  const { status, text, headers } = await asked.reply;
  assert.deepEqual([status, text], [200, pieces.join("")]);
  assert.match(headers.get("content-type") ?? "", /^text\/event-stream/);
});

test("each piece is there as soon as it was yielded", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const poll = worker.call("job-take");
  const reply = fetch(`${house.origin}/v2/${endpoint}/openai/v1/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${house.key}`, "content-type": "application/json" },
    body: '{"stream":true}',
  });
  const { id } = (await poll).json;
  await worker.call(`job-stream/${id}`, "", '{"output":"data: 1\\n\\n"}');
  const reader = (await reply).body!.getReader();
  const first = await reader.read();
  assert.equal(Buffer.from(first.value!).toString(), "data: 1\n\n");
  // The client leaves in the middle: its job is stopped.
  await reader.cancel();
  const stop = await worker.call("job-stop");
  assert.deepEqual(stop.json, { jobsToStop: [id] });
  assert.equal((await house.call("GET", `/v2/${endpoint}/status/${id}`)).json.status, "CANCELLED");
});

test("older workers yield objects: each becomes an event, and the end is said", async (t) => {
  const house = await startHouse(t);
  const asked = await ask(house, "POST", "/v1/completions", { stream: true });
  await asked.yields([{ a: 1 }, { a: 2 }]);
  await asked.yields({ a: 3 });
  await asked.ends('{"output":[]}');
  const events = ['data: {"a":1}', 'data: {"a":2}', 'data: {"a":3}', "data: [DONE]", ""];
  assert.equal((await asked.reply).text, events.join("\n\n"));
});

test("a job that failed is an error in OpenAI's form", async (t) => {
  const house = await startHouse(t);
  for (const stream of [false, true]) {
    const asked = await ask(house, "POST", "/v1/completions", { stream });
    await asked.ends(`{"error":"{'message': 'no such model'}"}`);
    const { status, json } = await asked.reply;
    assert.equal(status, 500);
    assert.equal(json.error.message, "{'message': 'no such model'}");
    assert.equal(typeof json.error.type, "string");
  }
});
