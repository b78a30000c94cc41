// Requests that MIG layouts are put back: those that were set, and that a restart of the machine or a person has ended.

import { isSplit, numbersWithin } from "../../../../domain/gpu/gpu-slices.ts";
import { pendingTests } from "../../../../domain/gpu/gpu-test.ts";
import { driftedGpus, mayRestore, restoredGpus } from "../../../../domain/gpu/mig/layout-drift.ts";
import {
  forgetLayouts,
  requestRestores,
  withoutObstacles,
} from "../../../../domain/gpu/mig/mig-layout.ts";
import { topic } from "../../../../store/engine/notifier.ts";
import { notify, type Tx } from "../../../../store/engine/statement.ts";
import { lockGpuHealth, setGpuHealth } from "../../../../store/replica/gpu-health.ts";
import { recordedInventory } from "../../../../store/replica/inventory.ts";
import { busyText, usageOfGpus } from "../gpu-usage.ts";
import { announceObstacle, announceRestore } from "./announce-restores.ts";

/**
 * Leaves a GPU as it is while anything uses it. What holds a MIG device that is gone cannot use it, and may get it back. An
 * event says what keeps a layout from being put back. Returns the UUIDs of the GPUs that are to be divided again.
 */
export function* restoreMigLayouts(machine: string, now: number): Tx<string[]> {
  const before = yield* lockGpuHealth(machine);
  const inventory = yield* recordedInventory(machine);
  if (!before || !inventory) return [];
  const restored = restoredGpus(inventory, before);
  for (const restore of restored) yield* announceRestore(machine, restore, now);
  const ended = restored.map(({ uuid }) => uuid);
  let health = ended.length > 0 ? withoutObstacles(before, ended) : before;
  const layouts: Record<string, readonly string[]> = {};
  for (const { uuid, profiles } of driftedGpus(inventory, before)) {
    if (pendingTests(before).includes(uuid)) continue;
    const { gpuNumbers = {} } = inventory;
    const numbers = isSplit(inventory, uuid) ? numbersWithin(inventory, uuid) : [gpuNumbers[uuid]!];
    const usage = yield* usageOfGpus(machine, numbers);
    if (usage !== null) {
      const obstacle = { obstacle: "used" as const, text: busyText(usage) };
      const drift = { uuid, profiles, ...obstacle };
      health = yield* announceObstacle(machine, health, drift, now);
    } else if (mayRestore(uuid, before, now)) layouts[uuid] = profiles;
  }
  const uuids = Object.keys(layouts);
  if (uuids.length > 0) {
    health = requestRestores(health, layouts, now);
    yield* notify(topic.migLayouts(machine));
  }
  if (health !== before) yield* setGpuHealth(machine, health);
  return uuids;
}

/** GPUs that are shared from now on, or that the service may not divide, keep the division that they have. */
export function* forgetMigLayouts(machine: string, uuids: readonly string[]): Tx<void> {
  const before = uuids.length === 0 ? undefined : yield* lockGpuHealth(machine);
  const { migLayouts = {} } = before ?? {};
  if (!before || !uuids.some((uuid) => Object.hasOwn(migLayouts, uuid))) return;
  yield* setGpuHealth(machine, forgetLayouts(before, uuids));
  yield* notify(topic.fleet);
  yield* notify(topic.workloads);
}
