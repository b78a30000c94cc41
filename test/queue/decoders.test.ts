// Clients in other languages decode strictly: whole numbers only, no null, nothing missing. Every
// reply in a job's life must pass the strictest of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import Type, { type TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { startHouse, type TestHouse, type TestWorker } from "../house.ts";

const optional = Type.Optional;
const states = ["IN_QUEUE", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"];

/** The Go SDK: pointers to int and to string, where a fraction or an object fails the whole reply. */
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

/** The provider for Vercel's AI SDK: an enumeration of four states, messages that are strings. */
const zodJob = Type.Object({
  id: Type.String(),
  status: Type.Enum(["COMPLETED", "IN_QUEUE", "IN_PROGRESS", "FAILED"]),
  error: optional(Type.String()),
  message: optional(Type.String()),
});

/** Flash: a finished runsync without one of these is no reply at all. */
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

/** Looks at a job and its endpoint in every way there is. */
async function look(house: TestHouse, endpoint: string, id: string, strict = true) {
  const at = `/v2/${endpoint}`;
  const { json } = await house.call("POST", `${at}/status/${id}`);
  decodes(goJob, json);
  if (strict) decodes(zodJob, json);
  const ended = !["IN_QUEUE", "IN_PROGRESS"].includes(json.status);
  assert.ok(ended || !("error" in json), "an error would end a wait of the Go SDK");
  if (ended) decodes(goJob, (await house.call("POST", `${at}/status-sync/${id}`)).json);
  decodes(goStream, (await house.call("POST", `${at}/stream/${id}`)).json);
  decodes(flashHealth, (await house.call("GET", `${at}/health`)).json);
  return json;
}

async function take(worker: TestWorker): Promise<string> {
  return (await worker.call("job-take", "?job_in_progress=0")).json.id;
}

test("a job's life, read by strict clients at every stage", async (t) => {
  const house = await startHouse(t, { protocol: { streamHoldMs: 10 } });
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const run = () => house.call("POST", `/v2/${endpoint}/run`, { input: {} });

  const { id } = (await run()).json;
  await look(house, endpoint, id);
  await take(worker);
  await look(house, endpoint, id);
  await worker.call(`job-done/${id}`, "", '{"status":"IN_PROGRESS","output":"50%"}');
  await look(house, endpoint, id);
  await worker.call(`job-stream/${id}`, "", '{"output":"chunk"}');
  await look(house, endpoint, id);
  await worker.call(`job-done/${id}`, "", '{"error":{"why":"it broke"},"output":[1]}');
  const failed = await look(house, endpoint, id);
  assert.equal(failed.error, '{"why":"it broke"}');
  await house.call("POST", `/v2/${endpoint}/retry/${id}`);
  await look(house, endpoint, id);
  await take(worker);
  await worker.call(`job-done/${id}`, "", '{"output":null}');
  await look(house, endpoint, id);

  for (const running of [false, true]) {
    const { id } = (await run()).json;
    if (running) await take(worker);
    decodes(goJob, (await house.call("POST", `/v2/${endpoint}/cancel/${id}`)).json);
    await look(house, endpoint, id, false);
  }
});

test("runsync answers what flash requires, whether it went well or not", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  for (const body of ['{"output":{"x":1}}', "{}", '{"error":"it broke"}']) {
    const answer = house.call("POST", `/v2/${endpoint}/runsync`, { input: {} });
    await worker.call(`job-done/${await take(worker)}`, "", body);
    const { status, json } = await answer;
    assert.equal(status, 200);
    decodes(flashOutput, json);
  }
});
