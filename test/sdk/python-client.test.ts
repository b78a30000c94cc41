// Tests with the public Python client and a worker that the test simulates.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { witness } from "../fidelity/witness.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { startEchoWorker } from "./echo-worker.ts";
import { pythonWith } from "./python-environment.ts";

const CLIENT = path.join(import.meta.dirname, "python", "client.py");
const chunks = [{ number: 0 }, { number: 1 }, { number: 2 }];
const none = { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 };
const nothing = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 };

async function runClient(service: TestService, python: string, kind: "blocking" | "asyncio") {
  const withWorker = await service.makeEndpoint();
  const withoutWorkers = await service.makeEndpoint({ spec: { workersMax: 0 } });
  await startEchoWorker(service, withWorker);
  const { stdout } = await promisify(execFile)(python, [CLIENT, kind], {
    timeout: 300_000,
    env: {
      PATH: process.env.PATH,
      KEY: service.key,
      BASE: `${service.origin}/v2`,
      SERVED: withWorker,
      UNSERVED: withoutWorkers,
    },
  });
  return JSON.parse(stdout.trim().split("\n").at(-1)!);
}

for (const sdk of ["1.12.0", "1.6.2", "2.0.0rc2"] as const) {
  test(`runpod ${sdk}: the blocking client`, async (t) => {
    const python = pythonWith(t, sdk);
    if (!python) return;
    const service = await startService(t);
    witness(t, service, `PyPI runpod ${sdk}, its queue client`);
    const received = await runClient(service, python, "blocking");
    const { run_sync: sync, unknown, "wrong key": wrongKey, ...rest } = received;
    assert.equal(sync.text, "é😀");
    assert.match(unknown, /^HTTPError: 404/);
    assert.match(wrongKey, /^RuntimeError: 401/);
    assert.deepEqual(rest, {
      "run_sync failed": null,
      "run_sync wrapped": { prompt: "no input key" },
      output: { n: 1 },
      status: "COMPLETED",
      stream: chunks,
      streamed: "COMPLETED",
      "no stream": [],
      cancel: "CANCELLED",
      cancelled: "CANCELLED",
      purge_queue: { removed: 2, status: "completed" },
      health: { jobs: nothing, workers: none },
    });
  });
}

// The asyncio client of 1.6 never ends a stream, and has no health call.
for (const sdk of ["1.12.0", "2.0.0rc2"] as const) {
  test(`runpod ${sdk}: the asyncio client`, async (t) => {
    const python = pythonWith(t, sdk);
    if (!python) return;
    const service = await startService(t);
    witness(t, service, `PyPI runpod ${sdk}, its queue client`);
    const received = await runClient(service, python, "asyncio");
    assert.deepEqual(received, {
      output: { n: 1 },
      status: "COMPLETED",
      failed: null,
      stream: chunks,
      cancel: "CANCELLED",
      purge_queue: { removed: 1, status: "completed" },
      health: { jobs: nothing, workers: none },
    });
  });
}
