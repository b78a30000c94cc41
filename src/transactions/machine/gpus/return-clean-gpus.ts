// Returns GPUs from quarantine whose cool-down is over, and records the clean readings of the others.

import type { GpuLimits } from "../../../domain/gpu/checks.ts";
import { isSliceUuid, isSplit, numbersWithin } from "../../../domain/gpu/gpu-slices.ts";
import { requestTests } from "../../../domain/gpu/gpu-test.ts";
import { changingGpus } from "../../../domain/gpu/mig/mig-layout.ts";
import { decideReturns } from "../../../domain/gpu/return-gpus.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import { topic } from "../../../store/engine/notifier.ts";
import { notify, type Tx } from "../../../store/engine/statement.ts";
import { lockGpuHealth, setGpuHealth } from "../../../store/replica/gpu-health.ts";
import { recordedInventory } from "../../../store/replica/inventory.ts";
import { usageOfGpus } from "./gpu-usage.ts";
import { returnGpus } from "./quarantine.ts";

/** The UUIDs of the GPUs that were returned, and whether another reading may return one. */
export function* returnCleanGpus(
  machine: string,
  reading: Parameters<typeof decideReturns>[1],
  { now, limits }: { now: number; limits: GpuLimits },
): Tx<{ returned: string[]; isWaiting: boolean }> {
  const before = yield* lockGpuHealth(machine);
  if (!before?.quarantines) return { returned: [], isWaiting: false };
  const { returned, isWaiting, untested, ...decided } = decideReturns(before, reading, {
    now,
    limits,
  });
  const changing = changingGpus(before);
  const unchanging = untested.filter((uuid) => !changing.includes(uuid));
  const tested = yield* testableAmong(machine, unchanging);
  const health = requestTests(decided.health, tested, now);
  const isChanged =
    JSON.stringify(health.cleanReadings) !== JSON.stringify(before.cleanReadings ?? {});
  if (isChanged || tested.length > 0) yield* setGpuHealth(machine, health);
  if (tested.length > 0) yield* notify(topic.gpuTests(machine));
  if (returned.length === 0) return { returned, isWaiting };
  yield* returnGpus(machine, returned, now);
  const after = (yield* lockGpuHealth(machine)) ?? {};
  const { returns = {} } = before;
  const added = returned.map((uuid) => [uuid, [...(returns[uuid] ?? []), now].slice(-5)] as const);
  yield* setGpuHealth(machine, {
    ...after,
    returns: { ...after.returns, ...Object.fromEntries(added) },
  });
  return { returned, isWaiting };
}

/**
 * A Pod may still hold a GPU that was put in quarantine under it, or its container may still use it. There is no test of a GPU in
 * MIG mode.
 */
function* testableAmong(machine: string, uuids: readonly string[]): Tx<string[]> {
  const inventory: Partial<Inventory> = (yield* recordedInventory(machine)) ?? {};
  const { gpuNumbers = {} } = inventory;
  const testable: string[] = [];
  for (const uuid of uuids) {
    if (isSliceUuid(uuid) || isSplit(inventory, uuid)) continue;
    if (gpuNumbers[uuid] === undefined) continue;
    const numbers = numbersWithin(inventory, uuid);
    if ((yield* usageOfGpus(machine, numbers)) === null) testable.push(uuid);
  }
  return testable;
}
