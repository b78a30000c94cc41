// Tests of endpoints with the simulated driver's workers: the complete path from a job to a worker and
// back, over the routes and loops that real workers use.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import {
  type ServiceOptions,
  startService,
  type TestService,
} from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";

/** Short times: no test waits for a documented minute. */
const protocol = {
  endingHoldMs: 20,
  endGraceMs: 200,
  leaseMs: 600,
  pingIntervalMs: 1_000,
  stopGraceMs: 400,
};

async function simulatedWorkers(
  t: TestContext,
  command: string[],
  spec = {},
  options: ServiceOptions = {},
) {
  const service = await startService(t, { protocol, ...options });
  const endpoint = await service.makeEndpoint({
    template: { driver: "simulated", dockerStartCmd: ["simulate", ...command] },
    spec: { workersMax: 1, idleTimeout: 60, ...spec },
  });
  return { service, endpoint };
}

async function ended(service: TestService, endpoint: string, id: string) {
  return (await service.call("GET", `/v2/${endpoint}/status-sync/${id}?wait=60000`)).json;
}

test("a job starts a worker, and an idle worker ends after its idle timeout", async (t) => {
  const { service, endpoint } = await simulatedWorkers(t, ["--echo"], { idleTimeout: 1 });
  const done = await service.call("POST", `/v2/${endpoint}/runsync`, { input: { n: 1 } });
  assert.equal(done.json.status, "COMPLETED", done.text);
  assert.deepEqual(done.json.output, { n: 1 });
  assert.equal(done.json.simulated, undefined, "the queue answers as for every worker");
  assert.equal((await service.call("GET", `/v1/jobs/${done.json.id}`)).json.simulated, true);
  await until(async () => {
    const { workers } = (await service.call("GET", `/v2/${endpoint}/health`)).json;
    return Object.values(workers).every((count) => count === 0);
  });
});

test("a job whose worker crashes is dispatched once more, then fails", async (t) => {
  const { service, endpoint } = await simulatedWorkers(t, [
    "--job-ms",
    "100",
    "--crash-during",
    "1",
  ]);
  const run = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  const job = await ended(service, endpoint, run.json.id);
  assert.equal(job.status, "FAILED");
  assert.equal(job.error, "job timed out after 1 retries");
  assert.equal(job.retries, 1);
  const { jobs } = (await service.call("GET", `/v2/${endpoint}/health`)).json;
  assert.deepEqual(jobs, { completed: 0, failed: 1, inProgress: 0, inQueue: 0, retried: 1 });
});

test("a worker that falls silent with a job is replaced, and the job is dispatched again", async (t) => {
  const times = { protocol: { ...protocol, silentMs: 3_000 } };
  const { service, endpoint } = await simulatedWorkers(
    t,
    ["--silent-after", "1", "--echo"],
    {},
    times,
  );
  const first = await service.call("POST", `/v2/${endpoint}/runsync`, { input: { n: 1 } });
  assert.equal(first.json.status, "COMPLETED");
  const run = await service.call("POST", `/v2/${endpoint}/run`, { input: { n: 2 } });
  const job = await ended(service, endpoint, run.json.id);
  assert.equal(job.status, "COMPLETED", JSON.stringify(job));
  assert.equal(job.retries, 1);
});

test("a result that is never posted is detected from the idle worker's pings and polls", async (t) => {
  const { service, endpoint } = await simulatedWorkers(t, ["--lose-every", "2", "--echo"]);
  await service.call("POST", `/v2/${endpoint}/runsync`, { input: { n: 1 } });
  const run = await service.call("POST", `/v2/${endpoint}/run`, { input: { n: 2 } });
  const job = await ended(service, endpoint, run.json.id);
  assert.equal(job.status, "COMPLETED", JSON.stringify(job));
  assert.equal(job.retries, 1);
});

test("a worker that ignores a cancel is ended, and its other job is requeued without a retry", async (t) => {
  const command = ["--concurrency", "2", "--job-ms", "3000", "--ignore-cancel", "--echo"];
  const { service, endpoint } = await simulatedWorkers(t, command);
  const [one, two] = await Promise.all([
    service.call("POST", `/v2/${endpoint}/run`, { input: { n: 1 } }),
    service.call("POST", `/v2/${endpoint}/run`, { input: { n: 2 } }),
  ]);
  await untilInProgress(service, endpoint, 2);
  const cancelled = await service.call("POST", `/v2/${endpoint}/cancel/${one.json.id}`);
  assert.equal(cancelled.json.status, "CANCELLED");
  const other = await ended(service, endpoint, two.json.id);
  assert.equal(other.status, "COMPLETED", JSON.stringify(other));
  assert.equal(other.retries, undefined);
  assert.equal((await ended(service, endpoint, one.json.id)).status, "CANCELLED");
});

test("a job that exceeds its execution timeout fails, and its worker continues", async (t) => {
  const { service, endpoint } = await simulatedWorkers(t, ["--job-ms", "60000"], {}, virtual);
  const policy = { executionTimeout: 30_000 };
  const run = await service.call("POST", `/v2/${endpoint}/run`, { input: {}, policy });
  await untilInProgress(service, endpoint, 1);
  await advance(service, "31s");
  const job = await ended(service, endpoint, run.json.id);
  assert.equal(job.status, "FAILED");
  assert.equal(job.error, "executionTimeout exceeded");
});

test("a worker that requests a refresh is replaced after its job", async (t) => {
  const { service, endpoint } = await simulatedWorkers(t, ["--refresh-every", "1", "--echo"]);
  const first = (await service.call("POST", `/v2/${endpoint}/runsync`, { input: {} })).json;
  const second = (await service.call("POST", `/v2/${endpoint}/runsync`, { input: {} })).json;
  assert.equal(second.status, "COMPLETED");
  assert.notEqual(first.workerId, second.workerId);
});

test("a worker that crashes at its start is backed off, and the job waits", async (t) => {
  const { service, endpoint } = await simulatedWorkers(t, ["--crash-at-start", "--exit-code", "3"]);
  const run = await service.call("POST", `/v2/${endpoint}/runsync?wait=2500`, { input: {} });
  assert.equal(run.json.status, "IN_QUEUE");
  const tries = await until(async () => {
    const { json } = await service.call("GET", `/v1/endpoints/${endpoint}/workers?ended=50`);
    const ended = json.filter((each: { endedAt?: string }) => each.endedAt !== undefined);
    return ended.length >= 3 && (ended as { createdAt: string; endedAt: string }[]);
  });
  tries.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  // Without the back-off there would be a try in every pass of the loop.
  for (const [n, pauseMs] of [1_000, 2_000].entries()) {
    const tookMs = Date.parse(tries[n + 1]!.createdAt) - Date.parse(tries[n]!.endedAt);
    assert.ok(tookMs >= pauseMs, `try ${n + 2} came after ${tookMs} ms`);
  }
});

for (const [name, flag] of [
  ["a crash loop", "--crash-at-start"],
  ["a failing fitness check", "--unhealthy"],
] as const) {
  test(`/health counts a worker as unhealthy through ${name}`, async (t) => {
    const { service, endpoint } = await simulatedWorkers(t, [flag], { workersMin: 1 });
    const workers = async () => (await service.call("GET", `/v2/${endpoint}/health`)).json.workers;
    const failures = async () => {
      const { json } = await service.call("GET", `/v1/endpoints/${endpoint}/workers?ended=50`);
      return json.filter((each: { endedAt?: string }) => each.endedAt !== undefined).length;
    };
    await until(async () => (await failures()) >= 2);
    const { unhealthy, idle, running } = await workers();
    assert.deepEqual({ unhealthy, idle, running }, { unhealthy: 1, idle: 0, running: 0 });
    // Without a worker to try again, none is unhealthy.
    await service.call("PATCH", `/v1/endpoints/${endpoint}`, { workersMin: 0 });
    await until(async () => (await workers()).unhealthy === 0);
  });
}

async function untilInProgress(
  service: TestService,
  endpoint: string,
  count: number,
): Promise<void> {
  await until(async () => {
    const { jobs } = (await service.call("GET", `/v2/${endpoint}/health`)).json;
    return jobs.inProgress === count;
  });
}
