// Tests with strict decoders, as clients in other languages have them: integers only, no null, no
// missing field. Every response in a job's life must pass the strictest.

import assert from "node:assert/strict";
import { test } from "node:test";
import Type, { type TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { startService, type TestService, type TestWorker } from "../fixtures/service/service.ts";

const optional = Type.Optional;
const states = ["IN_QUEUE", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"];

/** The Go SDK: pointers to int and to string; a fraction or an object fails the whole response. */
const goJob = Type.Object({
  id: Type.String(),
  status: Type.Enum(states),
  delayTime: optional(Type.Integer()),
  executionTime: optional(Type.Integer()),
  retries: optional(Type.Integer()),
  error: optional(Type.String()),
  output: optional(Type.Any()),
  workerId: optional(Type.String()),
});
const goStream = Type.Object({
  status: Type.Enum(states),
  stream: Type.Array(Type.Object({ output: Type.Any() })),
});

/** The provider for Vercel's AI SDK: an enumeration of four states, and string messages. */
const zodJob = Type.Object({
  id: Type.String(),
  status: Type.Enum(["COMPLETED", "IN_QUEUE", "IN_PROGRESS", "FAILED"]),
  error: optional(Type.String()),
  message: optional(Type.String()),
});

/** Flash: a finished runsync without one of these fields is invalid. */
const flashOutput = Type.Object({
  id: Type.String(),
  workerId: Type.String(),
  status: Type.String(),
  delayTime: Type.Integer(),
  executionTime: Type.Integer(),
  output: optional(Type.Any()),
  error: optional(Type.String()),
});
const counts = (...names: string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer({ minimum: 0 })])));
const flashHealth = Type.Object({
  jobs: counts("completed", "failed", "inProgress", "inQueue", "retried"),
  workers: counts("idle", "initializing", "ready", "running", "throttled", "unhealthy"),
});

function decodes(schema: TSchema, json: unknown): void {
  const [fault] = Compile(schema).Errors(json);
  assert.equal(fault, undefined, `${JSON.stringify(fault)} in ${JSON.stringify(json)}`);
  assert.ok(!hasNull(json), JSON.stringify(json));
}

function hasNull(json: unknown): boolean {
  if (json === null || typeof json !== "object") return json === null;
  return Object.values(json).some(hasNull);
}

/** Reads a job and its endpoint over every route. */
async function decodeJob(service: TestService, endpoint: string, id: string, strict = true) {
  const at = `/v2/${endpoint}`;
  const { json } = await service.call("POST", `${at}/status/${id}`);
  decodes(goJob, json);
  if (strict) decodes(zodJob, json);
  const ended = !["IN_QUEUE", "IN_PROGRESS"].includes(json.status);
  assert.ok(ended || !("error" in json), "an error would end a wait of the Go SDK");
  if (ended) decodes(goJob, (await service.call("POST", `${at}/status-sync/${id}`)).json);
  decodes(goStream, (await service.call("POST", `${at}/stream/${id}`)).json);
  decodes(flashHealth, (await service.call("GET", `${at}/health`)).json);
  return json;
}

async function take(worker: TestWorker): Promise<string> {
  return (await worker.call("job-take", "?job_in_progress=0")).json.id;
}

test("strict clients can decode a job at every stage", async (t) => {
  const service = await startService(t, { protocol: { streamHoldMs: 10 } });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const run = () => service.call("POST", `/v2/${endpoint}/run`, { input: {} });

  const { id } = (await run()).json;
  await decodeJob(service, endpoint, id);
  await take(worker);
  await decodeJob(service, endpoint, id);
  await worker.call(`job-done/${id}`, "", '{"status":"IN_PROGRESS","output":"50%"}');
  await decodeJob(service, endpoint, id);
  await worker.call(`job-stream/${id}`, "", '{"output":"chunk"}');
  await decodeJob(service, endpoint, id);
  await worker.call(`job-done/${id}`, "", '{"error":{"why":"it broke"},"output":[1]}');
  const failed = await decodeJob(service, endpoint, id);
  assert.equal(failed.error, '{"why":"it broke"}');
  await service.call("POST", `/v2/${endpoint}/retry/${id}`);
  await decodeJob(service, endpoint, id);
  await take(worker);
  await worker.call(`job-done/${id}`, "", '{"output":null}');
  await decodeJob(service, endpoint, id);

  for (const running of [false, true]) {
    const { id } = (await run()).json;
    if (running) await take(worker);
    decodes(goJob, (await service.call("POST", `/v2/${endpoint}/cancel/${id}`)).json);
    await decodeJob(service, endpoint, id, false);
  }
});

test("runsync returns the fields that Flash requires, on success and on failure", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  for (const body of ['{"output":{"x":1}}', "{}", '{"error":"it broke"}']) {
    const answer = service.call("POST", `/v2/${endpoint}/runsync`, { input: {} });
    await worker.call(`job-done/${await take(worker)}`, "", body);
    const { status, json } = await answer;
    assert.equal(status, 200);
    decodes(flashOutput, json);
  }
});
