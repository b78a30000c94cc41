// How a worker's life ends, early or in good order, and that no job is lost by it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { workerEnv } from "../../src/domain/worker/env.ts";
import { findRelease } from "../../src/store/endpoint/endpoint.ts";
import {
  endedWorkers,
  findWorker,
  markEnded,
  type WorkerRow,
  wantEnd,
} from "../../src/store/worker/worker.ts";
import { startHouse, type TestHouse } from "../house.ts";
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
  if (sdk === "1.12.0") {
    stopsOneJob(sdk);
    failsItsChecks(sdk);
  } else {
    endsForOneJob(sdk);
  }
  drains(sdk);
  endsWithTheService(sdk);
  isRefused(sdk);
}

/** From 1.10 on a worker asks which of its jobs to stop. */
function stopsOneJob(sdk: SdkVersion): void {
  testWithSdk(sdk, "a cancelled job is stopped, its neighbours go on", async (house, python) => {
    const endpoint = await makePythonEndpoint(house, python, "concurrent");
    const [long, short] = await twoJobs(house, endpoint, 3);
    let polls = 0;
    house.house.app.server.on("request", ({ url }) => {
      if (/job-(?:take|stop)/.test(url ?? "")) polls++;
    });
    await house.call("POST", `/v2/${endpoint}/cancel/${long}`);
    const neighbour = await ended(house, endpoint, short);
    assert.deepEqual([neighbour.status, neighbour.retries], ["COMPLETED", undefined]);
    const next = await ended(house, endpoint, await submit(house, endpoint, { do: "pid" }));
    assert.equal(next.workerId, neighbour.workerId);
    assert.equal((await reaches(house, endpoint, long, "CANCELLED")).workerId, next.workerId);
    assert.ok(polls > 0 && polls < 40, `${polls} polls in a few seconds`);
  });
}

/** From 1.9 on a worker looks at its machine first, and says what is wrong before it ends. */
function failsItsChecks(sdk: SdkVersion): void {
  testWithSdk(sdk, "a worker that fails its own checks says why", async (house, python) => {
    const env = { RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: "false", RUNPOD_MIN_MEMORY_GB: "1000000" };
    const endpoint = await makePythonEndpoint(house, python, "sync", {}, env);
    const id = await submit(house, endpoint, { n: 1 });
    const { store } = house.house;
    let failed: WorkerRow | undefined;
    for (let looked = 0; !failed; looked++) {
      assert.ok(looked < 1_200, "no worker has ended");
      await new Promise((resolve) => setTimeout(resolve, 50));
      [failed] = await store.read(endedWorkers, endpoint, 1);
    }
    assert.equal(failed.exit_code, 1);
    assert.match(failed.unhealthy ?? "", /memory/i);
    const { json } = await house.call("GET", `/v2/${endpoint}/status/${id}`);
    assert.equal(json.status, "IN_QUEUE");
  });
}

/** Before that the only way is to end the worker; what else it held was not to blame. */
function endsForOneJob(sdk: SdkVersion): void {
  const times = { stopGraceMs: 1_500, endGraceMs: 500 };
  testWithSdk(
    sdk,
    "a cancelled job ends its worker, the neighbours go back uncounted",
    async (house, python) => {
      const endpoint = await makePythonEndpoint(house, python, "concurrent");
      const [long, short] = await twoJobs(house, endpoint, 6);
      const { json } = await house.call("POST", `/v2/${endpoint}/cancel/${long}`);
      assert.equal(json.status, "CANCELLED");
      const neighbour = await ended(house, endpoint, short);
      assert.deepEqual([neighbour.status, neighbour.retries], ["COMPLETED", undefined]);
      assert.notEqual(neighbour.workerId, json.workerId);
    },
    times,
  );
}

/** A job that would take a minute and one that takes a while, both in progress. */
async function twoJobs(house: TestHouse, endpoint: string, seconds: number) {
  const long = await submit(house, endpoint, { do: "sleep", seconds: 60 });
  const short = await submit(house, endpoint, { do: "sleep", seconds });
  await reaches(house, endpoint, long, "IN_PROGRESS");
  await reaches(house, endpoint, short, "IN_PROGRESS");
  return [long, short] as const;
}

function drains(sdk: SdkVersion): void {
  testWithSdk(
    sdk,
    "a drained worker finishes its job and takes no other",
    async (house, python) => {
      const endpoint = await makePythonEndpoint(house, python, "async");
      const running = await submit(house, endpoint, { do: "sleep", seconds: 3 });
      const { workerId } = await reaches(house, endpoint, running, "IN_PROGRESS");
      const { store } = house.house;
      await store.write(wantEnd, workerId, "drain", "the test wants it", Date.now());
      const waiting = [
        await submit(house, endpoint, { n: 1 }),
        await submit(house, endpoint, { n: 2 }),
      ];
      const first = await ended(house, endpoint, running);
      assert.deepEqual([first.status, first.workerId], ["COMPLETED", workerId]);
      for (const id of waiting) {
        const job = await ended(house, endpoint, id);
        assert.equal(job.status, "COMPLETED");
        assert.ok(job.workerId !== workerId && !("retries" in job));
      }
      const worker = await store.read(findWorker, workerId);
      // Before 1.7 the SDK knows no SIGTERM: it is idle by then, and simply ends.
      const wanted = sdk === "1.6.2" ? [null, "SIGTERM"] : [0, null];
      assert.deepEqual([worker?.exit_code, worker?.signal], wanted);
    },
  );
}

function endsWithTheService(sdk: SdkVersion): void {
  const times = { drainMs: 20_000 };
  testWithSdk(
    sdk,
    "a stop of the service lets workers finish and end by themselves",
    async (house, python, t) => {
      const endpoint = await makePythonEndpoint(house, python, "async", { workersMin: 1 });
      const idle = await makePythonEndpoint(house, python, "sync");
      const { workerId: idler } = await ended(house, idle, await submit(house, idle, { n: 1 }));
      const id = await submit(house, endpoint, { do: "sleep", seconds: 2 });
      const { workerId } = await reaches(house, endpoint, id, "IN_PROGRESS");
      await house.stop();

      const again = await startHouse(t, { drivers: "fake", dataFolder: house.dataFolder });
      const { json: job } = await again.call("GET", `/v2/${endpoint}/status/${id}`);
      const ends = [];
      for (const each of [idler, workerId]) {
        const worker = await again.house.store.read(findWorker, each);
        ends.push([worker?.observed, worker?.exit_code, worker?.signal]);
      }
      if (sdk === "1.6.2") {
        // It knows no SIGTERM and dies of it; what it had goes back, and nothing is held against it.
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
  testWithSdk(sdk, "a worker whose key opens nothing does not spin", async (house, python) => {
    const endpoint = await house.makeEndpoint();
    const worker = await house.makeWorker(endpoint);
    const release = await house.house.store.read(findRelease, endpoint, 1);
    const identity = {
      workerId: worker.id,
      endpointId: endpoint,
      key: worker.key,
      origin: house.origin,
      pingIntervalMs: 1_000,
      gpuTypeId: null,
      virtualGpu: false,
      skipSystemChecks: true,
      volumeId: null,
    };
    const env = {
      PATH: process.env.PATH,
      SHAPE: "sync",
      ...workerEnv(identity, release!.workload.env),
    };
    // Its pings come from a process of their own, so the whole group is ended.
    const child = spawn(python, [WORKER], { env, stdio: "ignore", detached: true });
    try {
      const id = await submit(house, endpoint, { n: 1 });
      await ended(house, endpoint, id);
      await house.house.store.write(markEnded, worker.id, {
        at: Date.now(),
        exitCode: null,
        signal: null,
      });
      let asked = 0;
      house.house.app.server.on("request", () => asked++);
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      // Each of its three loops is held for a second; instant refusals would make thousands.
      assert.ok(asked > 0 && asked < 30, `${asked} requests in four seconds`);
    } finally {
      process.kill(-child.pid!, "SIGKILL");
    }
  });
}
