// How a worker ends, orderly or early, without losing a job.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { workerEnv } from "../../src/domain/worker/env.ts";
import { isEndedWorker } from "../../src/domain/worker/worker.ts";
import { findRelease } from "../../src/store/endpoint/endpoint.ts";
import { endedWorkers, findWorker } from "../../src/store/worker/worker.ts";
import { markEnded } from "../../src/transactions/worker/observe.ts";
import { requestWorkerEnd } from "../../src/transactions/worker/request-end.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { onRequest } from "../fixtures/service/watch-requests.ts";
import { until } from "../fixtures/until.ts";
import type { SdkVersion } from "./python-environment.ts";
import {
  ended,
  makePythonEndpoint,
  reaches,
  submit,
  testWithSdk,
  WORKER,
} from "./python-worker.ts";

export function testWorkerLife(sdk: SdkVersion): void {
  if (sdk === "1.12.0" || sdk === "2.0.0rc2") {
    stopsOneJob(sdk);
    endsBlockedWorker(sdk);
    failsItsChecks(sdk);
  } else {
    endsForOneJob(sdk);
  }
  drains(sdk);
  endsWithTheService(sdk);
  isRefused(sdk);
}

/** From 1.10 on a worker polls for jobs to stop. */
function stopsOneJob(sdk: SdkVersion): void {
  testWithSdk(sdk, "a cancelled job is stopped, its neighbours go on", async (service, python) => {
    const endpoint = await makePythonEndpoint(service, python, "concurrent");
    const [long, short] = await twoJobs(service, endpoint, 3);
    let polls = 0;
    onRequest(service.service, ({ url }) => {
      if (/job-(?:take|stop)/.test(url ?? "")) polls++;
    });
    await service.call("POST", `/v2/${endpoint}/cancel/${long}`);
    const peer = await ended(service, endpoint, short);
    assert.deepEqual([peer.status, peer.retries], ["COMPLETED", undefined]);
    const next = await ended(service, endpoint, await submit(service, endpoint, { do: "pid" }));
    assert.equal(next.workerId, peer.workerId);
    assert.equal((await reaches(service, endpoint, long, "CANCELLED")).workerId, next.workerId);
    assert.ok(polls > 0 && polls < 40, `${polls} polls in a few seconds`);
  });
}

/** A synchronous handler blocks the worker's loop, so it does not read the answer to its poll. */
function endsBlockedWorker(sdk: SdkVersion): void {
  testWithSdk(sdk, "a handler that blocks is ended with its worker", async (service, python) => {
    const endpoint = await makePythonEndpoint(service, python, "sync");
    const id = await submit(service, endpoint, { do: "sleep", seconds: 600 });
    const { workerId } = await reaches(service, endpoint, id, "IN_PROGRESS");
    await service.call("POST", `/v2/${endpoint}/cancel/${id}`);
    const next = await ended(service, endpoint, await submit(service, endpoint, { n: 1 }));
    assert.equal(next.status, "COMPLETED");
    assert.notEqual(next.workerId, workerId);
    const worker = await service.service.store.read(findWorker, workerId);
    assert.ok(worker && isEndedWorker(worker));
    assert.match(worker.desiredReason ?? "", /still works on job/);
  });
}

/** From 1.9 on a worker checks its machine first, and reports an error before it ends. */
function failsItsChecks(sdk: SdkVersion): void {
  testWithSdk(sdk, "a worker that fails its own checks says why", async (service, python) => {
    const env = { RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: "false", RUNPOD_MIN_MEMORY_GB: "1000000" };
    const endpoint = await makePythonEndpoint(service, python, "sync", {}, env);
    const id = await submit(service, endpoint, { n: 1 });
    const { store } = service.service;
    const failed = await until(async () => (await store.read(endedWorkers, endpoint, 1))[0]);
    assert.equal(failed.exitCode, 1);
    assert.match(failed.unhealthy ?? "", /memory/i);
    const { json } = await service.call("GET", `/v2/${endpoint}/status/${id}`);
    assert.equal(json.status, "IN_QUEUE");
  });
}

/** Before that the only way is to end the worker; its other jobs are requeued without a retry. */
function endsForOneJob(sdk: SdkVersion): void {
  const times = { stopGraceMs: 1_500, endGraceMs: 500 };
  testWithSdk(
    sdk,
    "a cancelled job ends its worker, the neighbours go back uncounted",
    async (service, python) => {
      const endpoint = await makePythonEndpoint(service, python, "concurrent");
      const [long, short] = await twoJobs(service, endpoint, 6);
      const { json } = await service.call("POST", `/v2/${endpoint}/cancel/${long}`);
      assert.equal(json.status, "CANCELLED");
      const peer = await ended(service, endpoint, short);
      assert.deepEqual([peer.status, peer.retries], ["COMPLETED", undefined]);
      assert.notEqual(peer.workerId, json.workerId);
    },
    times,
  );
}

/** A job that takes a minute and one that takes a while, both in progress. */
async function twoJobs(service: TestService, endpoint: string, seconds: number) {
  const long = await submit(service, endpoint, { do: "sleep", seconds: 60 });
  const short = await submit(service, endpoint, { do: "sleep", seconds });
  await reaches(service, endpoint, long, "IN_PROGRESS");
  await reaches(service, endpoint, short, "IN_PROGRESS");
  return [long, short] as const;
}

function drains(sdk: SdkVersion): void {
  testWithSdk(
    sdk,
    "a drained worker finishes its job and takes no other",
    async (service, python) => {
      const endpoint = await makePythonEndpoint(service, python, "async");
      const running = await submit(service, endpoint, { do: "sleep", seconds: 3 });
      const { workerId } = await reaches(service, endpoint, running, "IN_PROGRESS");
      const { store } = service.service;
      await store.write(requestWorkerEnd, workerId, "drain", "the test wants it", Date.now());
      const waiting = [
        await submit(service, endpoint, { n: 1 }),
        await submit(service, endpoint, { n: 2 }),
      ];
      const first = await ended(service, endpoint, running);
      assert.deepEqual([first.status, first.workerId], ["COMPLETED", workerId]);
      for (const id of waiting) {
        const job = await ended(service, endpoint, id);
        assert.equal(job.status, "COMPLETED");
        assert.ok(job.workerId !== workerId && !("retries" in job));
      }
      const worker = await store.read(findWorker, workerId);
      // Before 1.7 the SDK does not handle SIGTERM: it is idle by then, and simply ends.
      const wanted = sdk === "1.6.2" ? [null, "SIGTERM"] : [0, null];
      assert.ok(worker && isEndedWorker(worker));
      assert.deepEqual([worker.exitCode, worker.signal], wanted);
    },
  );
}

function endsWithTheService(sdk: SdkVersion): void {
  const times = { drainMs: 20_000 };
  testWithSdk(
    sdk,
    "a stop of the service lets workers finish and end by themselves",
    async (service, python, t) => {
      const endpoint = await makePythonEndpoint(service, python, "async", { workersMin: 1 });
      const idle = await makePythonEndpoint(service, python, "sync");
      const { workerId: idler } = await ended(service, idle, await submit(service, idle, { n: 1 }));
      const id = await submit(service, endpoint, { do: "sleep", seconds: 2 });
      const { workerId } = await reaches(service, endpoint, id, "IN_PROGRESS");
      await service.stop();

      const again = await startService(t, { drivers: "simulated", dataFolder: service.dataFolder });
      const { json: job } = await again.call("GET", `/v2/${endpoint}/status/${id}`);
      const ends = [];
      for (const each of [idler, workerId]) {
        const worker = await again.service.store.read(findWorker, each);
        assert.ok(worker && isEndedWorker(worker));
        ends.push([worker.observed, worker.exitCode, worker.signal]);
      }
      if (sdk === "1.6.2") {
        // It does not handle SIGTERM and dies; its jobs are requeued without a retry.
        assert.deepEqual(ends, Array(2).fill(["ended", null, "SIGTERM"]));
        assert.deepEqual([job.status, job.retries], ["IN_QUEUE", undefined]);
      } else {
        assert.deepEqual(ends, Array(2).fill(["ended", 0, null]));
        assert.deepEqual([job.status, job.workerId], ["COMPLETED", workerId]);
      }
    },
    times,
  );
}

function isRefused(sdk: SdkVersion): void {
  testWithSdk(sdk, "a worker whose key opens nothing does not spin", async (service, python) => {
    const endpoint = await service.makeEndpoint();
    const worker = await service.makeWorker(endpoint);
    const release = await service.service.store.read(findRelease, endpoint, 1);
    const identity = {
      workerId: worker.id,
      endpointId: endpoint,
      key: worker.key,
      origin: service.origin,
      pingIntervalMs: 1_000,
      gpuTypeId: null,
      simulatedGpu: false,
      skipSystemChecks: true,
      volumeId: null,
      trace: null,
    };
    const env = {
      PATH: process.env.PATH,
      SHAPE: "sync",
      ...workerEnv(identity, release!.workload.env),
    };
    // A separate process sends its pings, so the whole group is ended.
    const child = spawn(python, [WORKER], { env, stdio: "ignore", detached: true });
    try {
      const id = await submit(service, endpoint, { n: 1 });
      await ended(service, endpoint, id);
      await service.service.store.write(markEnded, worker.id, {
        at: Date.now(),
        exitCode: null,
        signal: null,
      });
      const refusedFrom = performance.now();
      let requestCount = 0;
      onRequest(service.service, () => requestCount++);
      await until(() => requestCount >= 10);
      // Each of its three loops is held for a second at each refusal, so ten calls are three rounds.
      const tookMs = performance.now() - refusedFrom;
      assert.ok(tookMs > 1_900, `${requestCount} requests in ${tookMs} ms`);
    } finally {
      process.kill(-child.pid!, "SIGKILL");
    }
  });
}
