// Tests of leases: a job that was dispatched and never acknowledged, what counts as a loss, and
// which result counts afterwards. Each test waits for a short lease, so they run in parallel.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { VirtualClock } from "../../src/base/clock.ts";
import type { Protocol } from "../../src/domain/protocol.ts";
import { markEnded } from "../../src/transactions/worker/observe.ts";
import { requestWorkerEnd } from "../../src/transactions/worker/request-end.ts";
import { startService, type TestWorker } from "../fixtures/service/service.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { until } from "../fixtures/until.ts";

const times = { leaseMs: 300, pollHoldMs: 1_000 };
/** Only for tests of silence: on a loaded machine, an idle worker may be silent for longer, and is ended. */
const shortSilence = { ...times, silentMs: 2_500 };

suite("leases", { concurrency: 4 }, () => {
  test("pings that do not list a job requeue it once, and then fail it", async (t) => {
    const { service, endpoint, worker, id, status } = await handOver(t);
    const pings = every(300, () => worker.call("ping", "?runpod_version=1.12.0"));
    const second = await service.makeWorker(endpoint);
    assert.deepEqual(await takes(second), { id, input: {}, retries: 1 });
    const again = every(300, () => second.call("ping", "?runpod_version=1.12.0"));
    const json = await until(async () => {
      const job = await status();
      return job.status === "FAILED" ? job : null;
    });
    assert.equal(json.error, "job timed out after 1 retries");
    assert.equal(json.retries, 1);
    const { json: health } = await service.call("GET", `/v2/${endpoint}/health`);
    assert.deepEqual([health.jobs.failed, health.jobs.retried], [1, 1]);
    await Promise.all([pings.stop(), again.stop()]);
  });

  test("a worker that polls and reports no jobs has lost its job", async (t) => {
    const { worker, id } = await handOver(t);
    assert.deepEqual(await takes(worker), { id, input: {}, retries: 1 });
  });

  test("pings that list a job keep it for any time", async (t) => {
    const clock = new VirtualClock(Date.now());
    const { worker, id, status } = await handOver(t, { protocol: shortSilence, clock });
    for (let n = 0; n < 14; n++) {
      await worker.call("ping", `?job_id=x%2C${id}&runpod_version=1.12.0`);
      await clock.advance(250);
      const { status: state, retries } = await status();
      assert.deepEqual([state, retries], ["IN_PROGRESS", undefined]);
    }
  });

  test("silence alone is no loss for a worker whose handler may block its pings", async (t) => {
    const clock = new VirtualClock(Date.now());
    const { worker, id, status } = await handOver(t, { protocol: shortSilence, clock });
    await worker.call("ping", `?job_id=${id}`);
    for (let n = 0; n < 9; n++) {
      await clock.advance(500);
      assert.equal((await status()).status, "IN_PROGRESS");
    }
    assert.equal((await worker.call(`job-done/${id}`, "", '{"output":1}')).status, 200);
    const { status: state, retries } = await status();
    assert.deepEqual([state, retries], ["COMPLETED", undefined]);
  });

  test("a worker with independent pings that falls silent has lost its job", async (t) => {
    const { service, endpoint, id, status } = await handOver(t, {
      protocol: shortSilence,
      ping: "?runpod_version=1.12.0",
    });
    await until(async () => (await status()).status === "IN_QUEUE");
    const second = await service.makeWorker(endpoint);
    assert.deepEqual(await takes(second), { id, input: {}, retries: 1 });
  });

  test("a lost worker's result counts only if it arrives first", async (t) => {
    const { service, endpoint, worker, id, status } = await handOver(t);
    const pings = every(300, () => worker.call("ping"));
    const second = await service.makeWorker(endpoint);
    await takes(second);
    // Neither worker is lost while the other answers, however long that takes.
    const secondPings = every(300, () => second.call("ping", `?job_id=${id}`));
    assert.equal((await worker.call(`job-stream/${id}`, "", '{"output":"old"}')).status, 200);
    assert.equal((await worker.call(`job-done/${id}`, "", '{"output":"first"}')).status, 200);
    assert.equal((await second.call(`job-done/${id}`, "", '{"output":"second"}')).status, 200);
    const json = await status();
    assert.deepEqual([json.output, json.workerId], ["first", worker.id]);
    await Promise.all([pings.stop(), secondPings.stop()]);
    // The second holder is asked to stop the finished job.
    const { json: health } = await service.call("GET", `/v2/${endpoint}/health`);
    assert.deepEqual([health.jobs.completed, health.jobs.inProgress], [1, 0]);
    const { json: stream } = await service.call("GET", `/v2/${endpoint}/stream/${id}`);
    assert.deepEqual(stream.stream, [{ output: "old", metrics: {} }]);
  });

  test("the job of an ended worker is requeued, without a retry if Freehold ended the worker", async (t) => {
    const { service, endpoint, worker, id, status } = await handOver(t);
    const end = { at: Date.now(), exitCode: 0, signal: null };
    await service.service.store.write(
      requestWorkerEnd,
      worker.id,
      "end",
      "the test wants it",
      Date.now(),
    );
    await service.service.store.write(markEnded, worker.id, end);
    const second = await service.makeWorker(endpoint);
    assert.deepEqual(await takes(second), { id, input: {} });
    await service.service.store.write(markEnded, second.id, { ...end, exitCode: 1 });
    const third = await service.makeWorker(endpoint);
    assert.deepEqual(await takes(third), { id, input: {}, retries: 1 });
    await third.call(`job-done/${id}`, "", "{}");
    assert.equal((await status()).status, "COMPLETED");
  });

  test("the stream of a lost job restarts", async (t) => {
    const { service, endpoint, worker, id } = await handOver(t);
    const stream = async () =>
      (await service.call("GET", `/v2/${endpoint}/stream/${id}?wait=1000`)).json.stream.map(
        (chunk: { output: unknown }) => chunk.output,
      );
    await worker.call(`job-stream/${id}`, "", '{"output":"a1"}');
    assert.deepEqual(await stream(), ["a1"]);
    const pings = every(300, () => worker.call("ping"));
    const second = await service.makeWorker(endpoint);
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

/** A service with a job that a worker holds; `ping` is the query of the worker's one ping. */
async function handOver(
  t: TestContext,
  {
    protocol = times,
    ping,
    clock,
  }: { protocol?: Partial<Protocol>; ping?: string; clock?: VirtualClock } = {},
) {
  const service = await startService(t, { protocol, ...(clock && { clock, replicas: null }) });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const { json } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  const id: string = json.id;
  assert.deepEqual(await takes(worker), { id, input: {} });
  if (ping) await worker.call("ping", ping);
  const status = async (): Promise<Job> =>
    (await service.call("GET", `/v2/${endpoint}/status/${id}`)).json;
  return { service, endpoint, worker, id, status };
}

/** Polls until there is a job, as an idle worker does. */
function takes(worker: TestWorker): Promise<unknown> {
  return until(async () => (await worker.call("job-take", "?job_in_progress=0")).json);
}

function every(ms: number, work: () => Promise<unknown>) {
  let on = true;
  const ended = (async () => {
    while (on) {
      await work();
      await pauseMs(ms);
    }
  })();
  return {
    stop() {
      on = false;
      return ended;
    },
  };
}
