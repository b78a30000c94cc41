// Runs the tests of GPUs that were requested, one after another.

import type { Clock } from "../../../base/clock.ts";
import type { Logger } from "../../../base/log.ts";
import type { GpuLimits } from "../../../domain/gpu/checks.ts";
import type { GpuTestResult } from "../../../domain/gpu/gpu-test.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import type { TestGpu } from "../../../drivers/machine/gpu-test/gpu-test.ts";
import { topic } from "../../../store/engine/notifier.ts";
import type { Store } from "../../../store/engine/store.ts";
import { recordGpuTest, requestedTests } from "../../../transactions/machine/gpus/test-gpus.ts";
import type { Loop } from "../../engine/loop.ts";
import { gpuRequestsLoop } from "./gpu-requests.ts";

/** A program that waits for a broken driver does not end. */
const STOP_MS = 2_000;

interface Deps {
  store: Store;
  clock: Clock;
  log: Logger;
  machine: string;
  /** What the machine offers, which other loops read. */
  inventory: Inventory;
  limits: GpuLimits;
  testGpu: TestGpu;
}

/**
 * A machine that is not reached runs the test once it is. A stop of the service ends a test, which the next start runs
 * again.
 */
export function testGpusLoop(deps: Deps): Loop {
  const { store, clock, log, machine, limits, testGpu } = deps;
  const stopped = new AbortController();
  let running: { uuid: string; cancelled: AbortController } | null = null;
  const nextTest = async () => (await store.read(requestedTests, machine))[0];

  async function testAll(): Promise<void> {
    for (let uuid = await nextTest(); uuid !== undefined; uuid = await nextTest()) {
      const result = await runTest(uuid);
      if (stopped.signal.aborted) return;
      if (result === null) continue;
      const end = { result, now: clock.now(), limits };
      const quarantine = await store.write(recordGpuTest, machine, uuid, end);
      log.info({ machine, gpu: uuid, ...result }, "a GPU was tested");
      if (quarantine) log.error({ machine, gpu: uuid, ...quarantine }, "a GPU is in quarantine");
    }
  }

  /** Null for a test that was stopped or cancelled. */
  async function runTest(uuid: string): Promise<GpuTestResult | null> {
    const cancelled = new AbortController();
    running = { uuid, cancelled };
    try {
      return await testGpu(uuid, AbortSignal.any([stopped.signal, cancelled.signal]));
    } finally {
      running = null;
    }
  }

  async function endCancelled(): Promise<void> {
    if (running === null) return;
    const { uuid, cancelled } = running;
    const requested = await store.read(requestedTests, machine);
    if (!requested.includes(uuid)) cancelled.abort();
  }

  return gpuRequestsLoop(deps, {
    name: "test-gpus",
    topic: topic.gpuTests(machine),
    stopMs: STOP_MS,
    carryOut: testAll,
    endCancelled,
    interrupt: () => stopped.abort(),
  });
}
