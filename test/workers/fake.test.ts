// Endpoints whose workers are the fake driver's: the whole way from a job to a worker and back, by
// the routes and loops that real workers meet, with workers that do as they are told.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type HouseOptions, startHouse, type TestHouse } from "../house.ts";

/** Short times: nothing here waits for a documented minute. */
const protocol = {
  endingHoldMs: 20,
  endGraceMs: 200,
  leaseMs: 600,
  pingIntervalMs: 1_000,
  stopGraceMs: 400,
};

async function fakes(t: TestContext, command: string[], spec = {}, options: HouseOptions = {}) {
  const house = await startHouse(t, { protocol, ...options });
  const endpoint = await house.makeEndpoint({
    template: { driver: "fake", dockerStartCmd: ["fake-worker", ...command] },
    spec: { workersMax: 1, idleTimeout: 60, ...spec },
  });
  return { house, endpoint };
}

async function ended(house: TestHouse, endpoint: string, id: string) {
  return (await house.call("GET", `/v2/${endpoint}/status-sync/${id}?wait=60000`)).json;
}

test("a job starts a worker, and an idle worker ends after its idle time-out", async (t) => {
  const { house, endpoint } = await fakes(t, ["--echo"], { idleTimeout: 1 });
  const done = await house.call("POST", `/v2/${endpoint}/runsync`, { input: { n: 1 } });
  assert.equal(done.json.status, "COMPLETED", done.text);
  assert.deepEqual(done.json.output, { n: 1 });
  for (;;) {
    const { workers } = (await house.call("GET", `/v2/${endpoint}/health`)).json;
    if (Object.values(workers).every((count) => count === 0)) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
});

test("a job whose worker crashes is dispatched once more, then failed", async (t) => {
  const { house, endpoint } = await fakes(t, ["--job-ms", "100", "--crash-during", "1"]);
  const run = await house.call("POST", `/v2/${endpoint}/run`, { input: {} });
  const job = await ended(house, endpoint, run.json.id);
  assert.equal(job.status, "FAILED");
  assert.equal(job.error, "job timed out after 1 retries");
  assert.equal(job.retries, 1);
  const { jobs } = (await house.call("GET", `/v2/${endpoint}/health`)).json;
  assert.deepEqual(jobs, { completed: 0, failed: 1, inProgress: 0, inQueue: 0, retried: 1 });
});

test("a worker that falls silent with a job is replaced, and the job goes to the next", async (t) => {
  const times = { protocol: { ...protocol, silentMs: 3_000 } };
  const { house, endpoint } = await fakes(t, ["--silent-after", "1", "--echo"], {}, times);
  const first = await house.call("POST", `/v2/${endpoint}/runsync`, { input: { n: 1 } });
  assert.equal(first.json.status, "COMPLETED");
  const run = await house.call("POST", `/v2/${endpoint}/run`, { input: { n: 2 } });
  const job = await ended(house, endpoint, run.json.id);
  assert.equal(job.status, "COMPLETED", JSON.stringify(job));
  assert.equal(job.retries, 1);
});

test("a result that is never posted is noticed by the idle worker's pings and polls", async (t) => {
  const { house, endpoint } = await fakes(t, ["--lose-every", "2", "--echo"]);
  await house.call("POST", `/v2/${endpoint}/runsync`, { input: { n: 1 } });
  const run = await house.call("POST", `/v2/${endpoint}/run`, { input: { n: 2 } });
  const job = await ended(house, endpoint, run.json.id);
  assert.equal(job.status, "COMPLETED", JSON.stringify(job));
  assert.equal(job.retries, 1);
});

test("a worker that ignores a cancel is ended; its other job goes back uncounted", async (t) => {
  const command = ["--concurrency", "2", "--job-ms", "3000", "--ignore-cancel", "--echo"];
  const { house, endpoint } = await fakes(t, command);
  const [one, two] = await Promise.all([
    house.call("POST", `/v2/${endpoint}/run`, { input: { n: 1 } }),
    house.call("POST", `/v2/${endpoint}/run`, { input: { n: 2 } }),
  ]);
  await untilInProgress(house, endpoint, 2);
  const cancelled = await house.call("POST", `/v2/${endpoint}/cancel/${one.json.id}`);
  assert.equal(cancelled.json.status, "CANCELLED");
  const other = await ended(house, endpoint, two.json.id);
  assert.equal(other.status, "COMPLETED", JSON.stringify(other));
  assert.equal(other.retries, undefined);
  assert.equal((await ended(house, endpoint, one.json.id)).status, "CANCELLED");
});

test("a job that overruns is failed, and its worker goes on with the next", async (t) => {
  const { house, endpoint } = await fakes(t, ["--job-ms", "20000"]);
  const policy = { executionTimeout: 5_000 };
  const run = await house.call("POST", `/v2/${endpoint}/run`, { input: {}, policy });
  const job = await ended(house, endpoint, run.json.id);
  assert.equal(job.status, "FAILED");
  assert.equal(job.error, "executionTimeout exceeded");
});

test("a worker that asks to be refreshed is recycled after its job", async (t) => {
  const { house, endpoint } = await fakes(t, ["--refresh-every", "1", "--echo"]);
  const first = (await house.call("POST", `/v2/${endpoint}/runsync`, { input: {} })).json;
  const second = (await house.call("POST", `/v2/${endpoint}/runsync`, { input: {} })).json;
  assert.equal(second.status, "COMPLETED");
  assert.notEqual(first.workerId, second.workerId);
});

test("a worker that crashes at its start is braked, and the job waits", async (t) => {
  const { house, endpoint } = await fakes(t, ["--crash-at-start", "--exit-code", "3"]);
  const run = await house.call("POST", `/v2/${endpoint}/runsync?wait=2500`, { input: {} });
  assert.equal(run.json.status, "IN_QUEUE");
  const tries = async () => {
    const { json } = await house.call("GET", `/v1/endpoints/${endpoint}/workers?ended=50`);
    return json.length as number;
  };
  // Tries at 0, 1 and 3 s: without the brake there would be one in every turn of the loop.
  assert.ok((await tries()) <= 4, `${await tries()} tries`);
  while ((await tries()) < 2) await new Promise((resolve) => setTimeout(resolve, 50));
});

async function untilInProgress(house: TestHouse, endpoint: string, count: number): Promise<void> {
  for (;;) {
    const { jobs } = (await house.call("GET", `/v2/${endpoint}/health`)).json;
    if (jobs.inProgress === count) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
