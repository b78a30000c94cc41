// Tests of /v2/<endpoint>/openai/<path>: a language model's worker behind the address that OpenAI's
// clients use.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";

/** Sends a request and dispatches its job to a worker. */
async function ask(service: TestService, method: string, path: string, body?: unknown) {
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const poll = worker.call("job-take");
  const reply = service.call(method, `/v2/${endpoint}/openai${path}`, body);
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

test("an OpenAI request becomes a job, and the yielded object is the response", async (t) => {
  const service = await startService(t);
  const exchange = await ask(service, "POST", "/v1/chat/completions", { model: "m", n: 1 });
  assert.deepEqual(exchange.job.input, {
    openai_route: "/v1/chat/completions",
    openai_input: { model: "m", n: 1 },
  });
  await exchange.yields({ choices: [{ text: "é😀" }] });
  await exchange.ends('{"output":[{"choices":[{"text":"é😀"}]}]}');
  const { status, text, headers } = await exchange.reply;
  assert.deepEqual([status, text], [200, '{"choices":[{"text":"é😀"}]}']);
  assert.match(headers.get("content-type") ?? "", /^application\/json/);
});

test("a GET has a route but no input", async (t) => {
  const service = await startService(t);
  const exchange = await ask(service, "GET", "/v1/models");
  assert.deepEqual(exchange.job.input, { openai_route: "/v1/models" });
  await exchange.ends('{"output":{"data":[]}}');
  assert.deepEqual((await exchange.reply).json, { data: [] });
});

test("of several yields before the end, the first is the response", async (t) => {
  const service = await startService(t);
  const exchange = await ask(service, "POST", "/v1/completions", {});
  await exchange.yields({ first: true });
  await exchange.yields({ second: true });
  await exchange.ends('{"output":[]}');
  assert.deepEqual((await exchange.reply).json, { first: true });
});

test("an object larger than one chunk is returned complete", async (t) => {
  const service = await startService(t);
  const exchange = await ask(service, "POST", "/v1/embeddings", {});
  const object = { data: Array.from({ length: 200_000 }, (_, n) => n / 7) };
  await exchange.yields(object);
  await exchange.ends('{"output":[]}');
  assert.deepEqual((await exchange.reply).json, object);
});

test("streamed text is sent as it was yielded, however it was split", async (t) => {
  const service = await startService(t);
  const exchange = await ask(service, "POST", "/v1/completions", { stream: true });
  const pieces = ['data: {"a"', ':1}\n\ndata: {"é":"', "😀", '"}\n\ndata: [DONE]\n\n'];
  for (const piece of pieces) await exchange.yields(piece);
  await exchange.ends('{"output":[]}');
  const { status, text, headers } = await exchange.reply;
  assert.deepEqual([status, text], [200, pieces.join("")]);
  assert.match(headers.get("content-type") ?? "", /^text\/event-stream/);
});

test("each chunk is sent as soon as it is yielded", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const poll = worker.call("job-take");
  const reply = fetch(`${service.origin}/v2/${endpoint}/openai/v1/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    body: '{"stream":true}',
  });
  const { id } = (await poll).json;
  await worker.call(`job-stream/${id}`, "", '{"output":"data: 1\\n\\n"}');
  const reader = (await reply).body!.getReader();
  const first = await reader.read();
  assert.equal(Buffer.from(first.value!).toString(), "data: 1\n\n");
  // The client disconnects in the middle: its job is stopped.
  await reader.cancel();
  const stop = await worker.call("job-stop");
  assert.deepEqual(stop.json, { jobsToStop: [id] });
  assert.equal(
    (await service.call("GET", `/v2/${endpoint}/status/${id}`)).json.status,
    "CANCELLED",
  );
});

test("objects of older workers become events, followed by the end marker", async (t) => {
  const service = await startService(t);
  const exchange = await ask(service, "POST", "/v1/completions", { stream: true });
  await exchange.yields([{ a: 1 }, { a: 2 }]);
  await exchange.yields({ a: 3 });
  await exchange.ends('{"output":[]}');
  const events = ['data: {"a":1}', 'data: {"a":2}', 'data: {"a":3}', "data: [DONE]", ""];
  assert.equal((await exchange.reply).text, events.join("\n\n"));
});

test("a failed job is an error in OpenAI's form", async (t) => {
  const service = await startService(t);
  for (const stream of [false, true]) {
    const exchange = await ask(service, "POST", "/v1/completions", { stream });
    await exchange.ends(`{"error":"{'message': 'no such model'}"}`);
    const { status, json, headers } = await exchange.reply;
    // OpenAI's clients would send a 500 or a 408 two more times.
    assert.deepEqual([status, headers.get("x-should-retry")], [500, "false"]);
    assert.equal(json.error.message, "{'message': 'no such model'}");
    assert.equal(typeof json.error.type, "string");
  }
});

test("a refusal is an error in OpenAI's form too, so that clients show its sentence", async (t) => {
  const service = await startService(t);
  const path = `/v2/${await service.makeEndpoint()}/openai/v1/chat/completions`;
  const multipart = { "content-type": "multipart/form-data; boundary=x" };
  const refused = [
    [await service.call("POST", path, {}, { authorization: "Bearer no" }), 401, "unauthorized"],
    [await service.call("POST", "/v2/nope/openai/v1/models", {}), 404, "endpoint_not_found"],
    [await service.call("POST", path, "{", {}), 400, "invalid_json"],
    [await service.call("POST", path, "--x--", multipart), 415, "body_type_not_taken"],
  ] as const;
  for (const [{ status, json }, expectedStatus, code] of refused) {
    assert.deepEqual([status, json.code, json.error.code], [expectedStatus, code, code]);
    // PyPI openai 3.57.0 shows no other member than this one.
    assert.equal(json.error.message, json.message);
    assert.equal(json.error.type, "invalid_request_error");
  }
});
