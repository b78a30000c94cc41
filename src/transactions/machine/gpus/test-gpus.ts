// Tests of GPUs: their requests, which keep new workloads away, and their results.

import { Fault } from "../../../domain/fault.ts";
import type { GpuLimits } from "../../../domain/gpu/checks.ts";
import { isSliceUuid, isSplit, numbersWithin } from "../../../domain/gpu/gpu-slices.ts";
import {
  finishTest,
  type GpuTestResult,
  pendingTests,
  requestTests,
} from "../../../domain/gpu/gpu-test.ts";
import type { Quarantine } from "../../../domain/gpu/health-record.ts";
import { changingGpus } from "../../../domain/gpu/mig/mig-layout.ts";
import { wholeNumber } from "../../../domain/gpu-share/gpu-share.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import { topic } from "../../../store/engine/notifier.ts";
import { notify, type Tx } from "../../../store/engine/statement.ts";
import { gpuHealthOf, lockGpuHealth, setGpuHealth } from "../../../store/replica/gpu-health.ts";
import { recordedInventory } from "../../../store/replica/inventory.ts";
import { usageOfGpus } from "./gpu-usage.ts";
import { announceQuarantine } from "./quarantine.ts";

/** Refuses to test a GPU that is not there, or that a workload holds or still uses. */
export function* refuseGpuTests(machine: string, uuids: readonly string[]): Tx<Fault | null> {
  if (uuids.length === 0) return null;
  const health = yield* lockGpuHealth(machine);
  const inventory = yield* recordedInventory(machine);
  if (!health || !inventory) return new Fault("machine_not_found", { id: machine });
  const [pending, changing] = [pendingTests(health), changingGpus(health)];
  for (const uuid of uuids) {
    const refuse = (why: string) =>
      new Fault("invalid_body", { detail: `"testGpus" names the GPU ${uuid}, ${why}.` });
    const number = numberOf(inventory, uuid);
    if (isSliceUuid(uuid) || isSplit(inventory, uuid))
      return refuse("which is in MIG mode; a test needs a whole GPU");
    if (number === null) return refuse("which the machine does not have");
    const usage = yield* usageOfGpus(machine, numbersWithin(inventory, uuid));
    if (usage) return refuse(`${usage}; a test needs a GPU that nothing uses`);
    if (pending.includes(uuid)) return refuse("which is being tested");
    if (changing.includes(uuid)) return refuse("whose MIG layout is being changed");
  }
  return null;
}

/** Requests tests that were not refused. */
export function* requestGpuTests(machine: string, uuids: readonly string[], now: number): Tx<void> {
  const health = uuids.length === 0 ? undefined : yield* lockGpuHealth(machine);
  if (!health) return;
  yield* setGpuHealth(machine, requestTests(health, uuids, now));
  yield* notify(topic.gpuTests(machine));
  yield* notify(topic.fleet);
}

/** Null for a GPU that the machine does not have now. */
function numberOf({ gpus, gpuNumbers = {} }: Inventory, uuid: string): number | null {
  const number = Object.hasOwn(gpuNumbers, uuid) ? gpuNumbers[uuid] : undefined;
  const isThere = gpus.some(
    ({ virtual, indices }) => !virtual && indices.map(wholeNumber).includes(number ?? -1),
  );
  return isThere && number !== undefined ? number : null;
}

/** The UUIDs of the GPUs whose test is requested and has not ended. */
export function* requestedTests(machine: string): Tx<string[]> {
  const health = yield* gpuHealthOf(machine);
  return health ? pendingTests(health) : [];
}

/** Returns the quarantine that follows; null for none. */
export function* recordGpuTest(
  machine: string,
  uuid: string,
  { result, now, limits }: { result: GpuTestResult; now: number; limits: GpuLimits },
): Tx<Quarantine | null> {
  const before = yield* lockGpuHealth(machine);
  if (!before) return null;
  const { health, quarantine } = finishTest(before, uuid, { result, now });
  yield* setGpuHealth(machine, health);
  yield* notify(topic.fleet);
  yield* notify(topic.workloads);
  yield* notify(topic.gpus(machine));
  if (quarantine === null) return null;
  const inventory = (yield* recordedInventory(machine)) ?? {};
  yield* announceQuarantine(machine, inventory, [uuid, quarantine], { now, limits });
  return quarantine;
}
