// A service with a job in every state and all that hangs on jobs, and what must be found of it where
// a copy of its data is started.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { type Answer, startHouse, type TestHouse, type TestWorker } from "../house.ts";
import { type Receiver, startReceiver } from "../webhook/receiver.ts";

/** A webhook that failed waits here for longer than any test: the restored service tries it again. */
const protocol = { webhookBackoffMs: [3_600_000, 3_600_000], streamHoldMs: 10 };

export interface FullHouse {
  house: TestHouse;
  endpoint: string;
  worker: TestWorker;
  /** Answers 500 first and 200 from then on. */
  receiver: Receiver;
  /** A key that was made through the service. */
  key: string;
  jobs: Record<JobName, string>;
}

type Env = Record<string, string>;
type JobName =
  | "large"
  | "failed"
  | "cancelled"
  | "timedOut"
  | "told"
  | "streaming"
  | "running"
  | "queued";

const large = JSON.stringify("long ".repeat(300_000));
const again = { "idempotency-key": "the-same" };

/** `env` may name a database. */
export async function fillHouse(t: TestContext, env: Env = {}): Promise<FullHouse> {
  const house = await startHouse(t, { protocol, env });
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const receiver = await startReceiver(t, [500, 200]);
  const at = `/v2/${endpoint}`;
  const submit = async (body: unknown, headers?: Record<string, string>): Promise<string> =>
    (await house.call("POST", `${at}/run`, body, headers)).json.id;
  const taken = async (body: unknown): Promise<string> => {
    const id = await submit(body);
    assert.equal((await worker.call("job-take")).json.id, id);
    return id;
  };
  const done = async (id: string, text: string) => {
    assert.equal((await worker.call(`job-done/${id}`, "", text)).status, 200);
    return id;
  };
  const completed = await done(await taken(`{"input":{"text":${large}}}`), `{"output":${large}}`);
  const failed = await done(await taken({ input: {} }), '{"error":"it broke"}');
  const told = await done(await taken({ input: {}, webhook: receiver.url }), '{"output":7}');
  await receiver.sent(1);
  const cancelled = await submit({ input: {} });
  await house.call("POST", `${at}/cancel/${cancelled}`);
  const timedOut = await submit({ input: {} });
  await house.call("GET", `${at}/status/${timedOut}?ttl=1000`);
  await house.call("GET", `${at}/status-sync/${timedOut}?wait=60000`);
  const streaming = await taken({ input: {} });
  for (const n of [1, 2]) await worker.call(`job-stream/${streaming}`, "", `{"output":${n}}`);
  assert.deepEqual(await chunks(house, endpoint, streaming), [1, 2]);
  for (const n of [3, 4]) await worker.call(`job-stream/${streaming}`, "", `{"output":${n}}`);
  const running = await taken({ input: { n: 1 } });
  const queued = await submit({ input: { n: 2 } }, again);
  const { json } = await house.call("POST", "/v1/keys", { name: "made" });
  const jobs = { large: completed, failed, cancelled, timedOut, told, streaming, running, queued };
  return { house, endpoint, worker, receiver, key: json.key, jobs };
}

/** Holds a service that was started on a copy to all that is known of the one it was copied from. */
export async function checkCopy(
  t: TestContext,
  full: FullHouse,
  dataFolder: string,
  env: Env = {},
): Promise<void> {
  const house = await startHouse(t, { dataFolder, protocol, env });
  const { endpoint, jobs, key } = full;
  const at = `/v2/${endpoint}`;
  const status = (id: string) =>
    house.call("GET", `${at}/status/${id}`, undefined, { authorization: `Bearer ${key}` });
  const states: Record<JobName, string> = {
    large: "COMPLETED",
    failed: "FAILED",
    cancelled: "CANCELLED",
    timedOut: "TIMED_OUT",
    told: "COMPLETED",
    streaming: "IN_PROGRESS",
    running: "IN_PROGRESS",
    queued: "IN_QUEUE",
  };
  for (const [name, state] of Object.entries(states)) {
    const { json, text } = await status(jobs[name as JobName]);
    assert.equal(json.status, state, `${name}: ${text.slice(0, 300)}`);
  }
  assert.ok((await status(jobs.large)).text.includes(`"output":${large}`));
  assert.equal((await status(jobs.failed)).json.error, "it broke");
  const repeated = await house.call("POST", `${at}/run`, { input: { n: 2 } }, again);
  assert.equal(repeated.json.id, jobs.queued, "the answer to a repeated request");
  assert.deepEqual(await chunks(house, endpoint, jobs.streaming), [3, 4]);
  assert.deepEqual(await chunks(house, endpoint, jobs.streaming, "?from=0"), [1, 2, 3, 4]);
  await checkDelivery(house, full);
  await workerGoesOn(house, full);
}

/** The webhook that failed once is delivered when somebody asks for it. */
async function checkDelivery(house: TestHouse, { jobs, receiver }: FullHouse) {
  const before = receiver.received.length;
  const address = `/v1/jobs/${jobs.told}/deliveries/1/redeliver`;
  assert.equal((await house.call("POST", address)).status, 200);
  await receiver.sent(before + 1);
}

/** The worker heard nothing of the move: it ends what it held and takes what comes next. */
async function workerGoesOn(house: TestHouse, { worker, endpoint, jobs }: FullHouse) {
  const call = async (route: string, body?: string): Promise<Answer["json"]> => {
    const [operation, job] = route.split("/");
    const address = [house.origin, "v2", endpoint, operation, worker.id, ...(job ? [job] : [])];
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const response = await fetch(address.join("/"), {
      headers: { authorization: worker.key, ...(body !== undefined && type) },
      ...(body !== undefined && { method: "POST", body }),
    });
    assert.equal(response.status, 200, route);
    return route.startsWith("job-take") ? response.json() : null;
  };
  await call(`job-done/${jobs.streaming}`, '{"output":[]}');
  await call(`job-done/${jobs.running}`, '{"output":1}');
  assert.equal((await call("job-take")).id, jobs.queued);
  await call(`job-done/${jobs.queued}`, '{"output":2}');
  const submitted = await house.call("POST", `/v2/${endpoint}/run`, { input: {} });
  assert.equal((await call("job-take")).id, submitted.json.id);
  for (const id of [jobs.streaming, jobs.running, jobs.queued]) {
    const { json } = await house.call("GET", `/v2/${endpoint}/status/${id}`);
    assert.deepEqual([json.status, json.retries], ["COMPLETED", undefined]);
  }
  const { json } = await house.call("GET", `/v2/${endpoint}/health`);
  const counted = { completed: 5, failed: 2, inProgress: 1, inQueue: 0, retried: 0 };
  assert.deepEqual(json.jobs, counted, "the counters");
}

async function chunks(house: TestHouse, endpoint: string, id: string, query = "") {
  const { json } = await house.call("GET", `/v2/${endpoint}/stream/${id}${query}`);
  return json.stream.map(({ output }: { output: unknown }) => output);
}
