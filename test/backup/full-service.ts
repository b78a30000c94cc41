// A service with a job in every state and everything that belongs to jobs, and the checks of a
// service that starts on a copy of its data.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import {
  type Answer,
  startService,
  type TestService,
  type TestWorker,
} from "../fixtures/service/service.ts";
import { type Receiver, startReceiver } from "../webhook/receiver.ts";

/**
 * The delay of a failed webhook's next try; longer than any test, so the restored service makes it.
 */
const protocol = { webhookBackoffMs: [3_600_000, 3_600_000], streamHoldMs: 10 };

export interface FullService {
  service: TestService;
  endpoint: string;
  worker: TestWorker;
  /** Answers 500 first and 200 afterwards. */
  receiver: Receiver;
  /** A key created through the service. */
  key: string;
  jobs: Record<JobName, string>;
}

type Env = Record<string, string>;
type JobName =
  | "large"
  | "failed"
  | "cancelled"
  | "timedOut"
  | "withWebhook"
  | "streaming"
  | "running"
  | "queued";

const large = JSON.stringify("long ".repeat(300_000));
const again = { "idempotency-key": "the-same" };

/** `env` may configure a database. */
export async function fillService(t: TestContext, env: Env = {}): Promise<FullService> {
  const service = await startService(t, { protocol, env });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const receiver = await startReceiver(t, [500, 200]);
  const at = `/v2/${endpoint}`;
  const submit = async (body: unknown, headers?: Record<string, string>): Promise<string> =>
    (await service.call("POST", `${at}/run`, body, headers)).json.id;
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
  const withWebhook = await done(await taken({ input: {}, webhook: receiver.url }), '{"output":7}');
  await receiver.sent(1);
  const cancelled = await submit({ input: {} });
  await service.call("POST", `${at}/cancel/${cancelled}`);
  const timedOut = await submit({ input: {} });
  await service.call("GET", `${at}/status/${timedOut}?ttl=1000`);
  await service.call("GET", `${at}/status-sync/${timedOut}?wait=60000`);
  const streaming = await taken({ input: {} });
  for (const n of [1, 2]) await worker.call(`job-stream/${streaming}`, "", `{"output":${n}}`);
  assert.deepEqual(await chunks(service, endpoint, streaming), [1, 2]);
  for (const n of [3, 4]) await worker.call(`job-stream/${streaming}`, "", `{"output":${n}}`);
  const running = await taken({ input: { n: 1 } });
  const queued = await submit({ input: { n: 2 } }, again);
  const { json } = await service.call("POST", "/v1/keys", { name: "made" });
  const jobs = {
    large: completed,
    failed,
    cancelled,
    timedOut,
    withWebhook,
    streaming,
    running,
    queued,
  };
  return { service, endpoint, worker, receiver, key: json.key, jobs };
}

/** Compares a service that was started on a copy with the original. */
export async function checkCopy(
  t: TestContext,
  full: FullService,
  dataFolder: string,
  env: Env = {},
): Promise<void> {
  const service = await startService(t, { dataFolder, protocol, env });
  const { endpoint, jobs, key } = full;
  const at = `/v2/${endpoint}`;
  const status = (id: string) =>
    service.call("GET", `${at}/status/${id}`, undefined, { authorization: `Bearer ${key}` });
  const states: Record<JobName, string> = {
    large: "COMPLETED",
    failed: "FAILED",
    cancelled: "CANCELLED",
    timedOut: "TIMED_OUT",
    withWebhook: "COMPLETED",
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
  const repeated = await service.call("POST", `${at}/run`, { input: { n: 2 } }, again);
  assert.equal(repeated.json.id, jobs.queued, "the answer to a repeated request");
  assert.deepEqual(await chunks(service, endpoint, jobs.streaming), [3, 4]);
  assert.deepEqual(await chunks(service, endpoint, jobs.streaming, "?from=0"), [1, 2, 3, 4]);
  await checkDelivery(service, full);
  await workerGoesOn(service, full);
}

/** A webhook that failed once is redelivered on request. */
async function checkDelivery(service: TestService, { jobs, receiver }: FullService) {
  const before = receiver.received.length;
  const address = `/v1/jobs/${jobs.withWebhook}/deliveries/1/redeliver`;
  assert.equal((await service.call("POST", address)).status, 200);
  await receiver.sent(before + 1);
}

/** The move does not affect the worker: it finishes its job and takes the next one. */
async function workerGoesOn(service: TestService, { worker, endpoint, jobs }: FullService) {
  const call = async (route: string, body?: string): Promise<Answer["json"]> => {
    const [operation, job] = route.split("/");
    const address = [service.origin, "v2", endpoint, operation, worker.id, ...(job ? [job] : [])];
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
  const submitted = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  assert.equal((await call("job-take")).id, submitted.json.id);
  for (const id of [jobs.streaming, jobs.running, jobs.queued]) {
    const { json } = await service.call("GET", `/v2/${endpoint}/status/${id}`);
    assert.deepEqual([json.status, json.retries], ["COMPLETED", undefined]);
  }
  const { json } = await service.call("GET", `/v2/${endpoint}/health`);
  const counted = { completed: 5, failed: 2, inProgress: 1, inQueue: 0, retried: 0 };
  assert.deepEqual(json.jobs, counted, "the counters");
}

async function chunks(service: TestService, endpoint: string, id: string, query = "") {
  const { json } = await service.call("GET", `/v2/${endpoint}/stream/${id}${query}`);
  return json.stream.map(({ output }: { output: unknown }) => output);
}
