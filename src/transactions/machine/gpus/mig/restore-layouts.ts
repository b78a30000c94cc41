// Requests that MIG layouts are put back: those that were set, and that a restart of the machine or a person has ended.

import { isSplit, numbersWithin } from "../../../../domain/gpu/gpu-slices.ts";
import { pendingTests } from "../../../../domain/gpu/gpu-test.ts";
import { driftedGpus, mayRestore } from "../../../../domain/gpu/mig/layout-drift.ts";
import { requestRestores } from "../../../../domain/gpu/mig/mig-layout.ts";
import { topic } from "../../../../store/engine/notifier.ts";
import { notify, type Tx } from "../../../../store/engine/statement.ts";
import { lockGpuHealth, setGpuHealth } from "../../../../store/replica/gpu-health.ts";
import { recordedInventory } from "../../../../store/replica/inventory.ts";
import { usageOfGpus } from "../gpu-usage.ts";

/**
 * Leaves a GPU as it is while anything uses it. What holds a MIG device that is gone cannot use it, and may get it back. Returns
 * the UUIDs of the GPUs that are to be divided again.
 */
export function* restoreMigLayouts(machine: string, now: number): Tx<string[]> {
  const health = yield* lockGpuHealth(machine);
  const inventory = yield* recordedInventory(machine);
  if (!health || !inventory) return [];
  const layouts: Record<string, readonly string[]> = {};
  for (const { uuid, profiles } of driftedGpus(inventory, health)) {
    if (pendingTests(health).includes(uuid) || !mayRestore(uuid, health, now)) continue;
    const { gpuNumbers = {} } = inventory;
    const numbers = isSplit(inventory, uuid) ? numbersWithin(inventory, uuid) : [gpuNumbers[uuid]!];
    if ((yield* usageOfGpus(machine, numbers)) === null) layouts[uuid] = profiles;
  }
  const uuids = Object.keys(layouts);
  if (uuids.length === 0) return [];
  yield* setGpuHealth(machine, requestRestores(health, layouts, now));
  yield* notify(topic.migLayouts(machine));
  return uuids;
}
