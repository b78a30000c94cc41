// Runs the tests of GPUs that were requested, one after another.

import type { Clock } from "../../../base/clock.ts";
import type { Logger } from "../../../base/log.ts";
import type { GpuLimits } from "../../../domain/gpu/checks.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import type { TestGpu } from "../../../drivers/machine/gpu-test.ts";
import { topic } from "../../../store/engine/notifier.ts";
import type { Store } from "../../../store/engine/store.ts";
import { recordGpuTest, requestedTests } from "../../../transactions/machine/gpus/test-gpus.ts";
import type { Loop } from "../../engine/loop.ts";

const PERIOD_MS = 60_000;
const REST_MS = 200;

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

/** A machine that is not reached runs the test once it is. */
export function testGpusLoop(deps: Deps): Loop {
  const { store, clock, log, machine, inventory, limits, testGpu } = deps;
  return {
    name: "test-gpus",
    shared: false,
    periodMs: PERIOD_MS,
    restMs: REST_MS,
    topics: [topic.gpuTests(machine)],
    async run() {
      if (inventory.gpuNumbers === undefined) return null;
      for (const uuid of await store.write(requestedTests, machine)) {
        const { gpuNodes = {} } = inventory;
        const result = Object.hasOwn(gpuNodes, uuid) ? NO_TEST : await testGpu(uuid);
        const end = { result, now: clock.now(), limits };
        const quarantine = await store.write(recordGpuTest, machine, uuid, end);
        log.info({ machine, gpu: uuid, ...result }, "a GPU was tested");
        if (quarantine) log.error({ machine, gpu: uuid, ...quarantine }, "a GPU is in quarantine");
      }
      return null;
    },
  };
}

const NO_TEST = {
  outcome: "not_run",
  text: "there is no test of GPUs that NVIDIA did not make",
} as const;
