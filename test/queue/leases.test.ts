// A job that was handed over and never acknowledged: what counts as a loss, what does not, and whose
// result is taken afterwards. Each waits out a short lease, so all of them run side by side.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { startHouse, type TestWorker } from "../house.ts";

const times = { leaseMs: 300, pollHoldMs: 1_000, silentMs: 2_500 };

suite("leases", { concurrency: 4 }, () => {
  test("pings that do not list a job give it to the next, and the second time fail it", async (t) => {
    const { house, endpoint, worker, id, status } = await handOver(t);
    const pings = every(300, () => worker.call("ping", "?runpod_version=1.12.0"));
    const second = await house.makeWorker(endpoint);
    assert.deepEqual(await takes(second), { id, input: {}, retries: 1 });
    const again = every(300, () => second.call("ping", "?runpod_version=1.12.0"));
    const json = await until(status, ({ status }) => status === "FAILED");
    assert.equal(json.error, "job timed out after 1 retries");
    assert.equal(json.retries, 1);
    const { json: health } = await house.call("GET", `/v2/${endpoint}/health`);
    assert.deepEqual([health.jobs.failed, health.jobs.retried], [1, 1]);
    await Promise.all([pings.stop(), again.stop()]);
  });

  test("a worker that asks for work and says it holds nothing has lost its job", async (t) => {
    const { worker, id } = await handOver(t);
    assert.deepEqual(await takes(worker), { id, input: {}, retries: 1 });
  });

  test("pings that list a job keep it, however long it takes", async (t) => {
    const { worker, id, status } = await handOver(t);
    const pings = every(150, () => worker.call("ping", `?job_id=x%2C${id}&runpod_version=1.12.0`));
    await wait(3_500);
    const { status: state, retries } = await status();
    assert.deepEqual([state, retries], ["IN_PROGRESS", undefined]);
    await pings.stop();
  });

  test("silence alone proves nothing of a worker whose handler may block its pings", async (t) => {
    const { worker, id, status } = await handOver(t);
    await worker.call("ping", `?job_id=${id}`);
    await wait(4_500);
    assert.equal((await status()).status, "IN_PROGRESS");
    assert.equal((await worker.call(`job-done/${id}`, "", '{"output":1}')).status, 200);
    const { status: state, retries } = await status();
    assert.deepEqual([state, retries], ["COMPLETED", undefined]);
  });

  test("a worker that pings by itself and falls silent has lost its job", async (t) => {
    const { house, endpoint, id } = await handOver(t, "?runpod_version=1.12.0");
    const second = await house.makeWorker(endpoint);
    assert.deepEqual(await takes(second), { id, input: {}, retries: 1 });
  });

  test("the lost worker's result counts if it comes first, and only then", async (t) => {
    const { house, endpoint, worker, id, status } = await handOver(t);
    const pings = every(300, () => worker.call("ping"));
    const second = await house.makeWorker(endpoint);
    await takes(second);
    await pings.stop();
    assert.equal((await worker.call(`job-stream/${id}`, "", '{"output":"old"}')).status, 200);
    assert.equal((await worker.call(`job-done/${id}`, "", '{"output":"first"}')).status, 200);
    assert.equal((await second.call(`job-done/${id}`, "", '{"output":"second"}')).status, 200);
    const json = await status();
    assert.deepEqual([json.output, json.workerId], ["first", worker.id]);
    // The second one is told to stop what is done already.
    const { json: health } = await house.call("GET", `/v2/${endpoint}/health`);
    assert.deepEqual([health.jobs.completed, health.jobs.inProgress], [1, 0]);
    const { json: stream } = await house.call("GET", `/v2/${endpoint}/stream/${id}`);
    assert.deepEqual(stream.stream, [{ output: "old", metrics: {} }]);
  });

  test("the job of a worker that ended goes on, uncounted if we ended it", async (t) => {
    const { house, endpoint, worker, id, status } = await handOver(t);
    const { markEnded, wantEnd } = await import("../../src/store/worker/worker.ts");
    const end = { at: Date.now(), exitCode: 0, signal: null };
    await house.house.store.write(wantEnd, worker.id, "end", "the test wants it", Date.now());
    await house.house.store.write(markEnded, worker.id, end);
    const second = await house.makeWorker(endpoint);
    assert.deepEqual(await takes(second), { id, input: {} });
    await house.house.store.write(markEnded, second.id, { ...end, exitCode: 1 });
    const third = await house.makeWorker(endpoint);
    assert.deepEqual(await takes(third), { id, input: {}, retries: 1 });
    await third.call(`job-done/${id}`, "", "{}");
    assert.equal((await status()).status, "COMPLETED");
  });

  test("the stream of a job that was lost begins anew", async (t) => {
    const { house, endpoint, worker, id } = await handOver(t);
    const stream = async () =>
      (await house.call("GET", `/v2/${endpoint}/stream/${id}?wait=1000`)).json.stream.map(
        (chunk: { output: unknown }) => chunk.output,
      );
    await worker.call(`job-stream/${id}`, "", '{"output":"a1"}');
    assert.deepEqual(await stream(), ["a1"]);
    const pings = every(300, () => worker.call("ping"));
    const second = await house.makeWorker(endpoint);
    await takes(second);
    await pings.stop();
    await second.call(`job-stream/${id}`, "", '{"output":"b1"}');
    assert.deepEqual(await stream(), ["b1"]);
  });
});

interface Job {
  status: string;
  retries?: number;
  error?: string;
  output?: unknown;
  workerId?: string;
}

/** A house with a job in a worker's hands; `ping` is the query of the one ping it has sent. */
async function handOver(t: TestContext, ping?: string) {
  const house = await startHouse(t, { protocol: times });
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const { json } = await house.call("POST", `/v2/${endpoint}/run`, { input: {} });
  const id: string = json.id;
  assert.deepEqual(await takes(worker), { id, input: {} });
  if (ping) await worker.call("ping", ping);
  const status = async (): Promise<Job> =>
    (await house.call("GET", `/v2/${endpoint}/status/${id}`)).json;
  return { house, endpoint, worker, id, status };
}

/** Asks for a job until there is one, as an idle worker does. */
async function takes(worker: TestWorker): Promise<unknown> {
  for (let n = 0; n < 10; n++) {
    const { json } = await worker.call("job-take", "?job_in_progress=0");
    if (json) return json;
  }
  return null;
}

function every(ms: number, work: () => Promise<unknown>) {
  let on = true;
  const ended = (async () => {
    while (on) {
      await work();
      await wait(ms);
    }
  })();
  return {
    stop() {
      on = false;
      return ended;
    },
  };
}

async function until(look: () => Promise<Job>, fits: (job: Job) => boolean): Promise<Job> {
  for (let n = 0; ; n++) {
    const json = await look();
    if (fits(json)) return json;
    assert.ok(n < 1_200, JSON.stringify(json));
    await wait(50);
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
