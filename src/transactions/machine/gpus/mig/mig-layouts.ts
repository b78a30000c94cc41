// Changes of the MIG layout of GPUs: their requests, which keep new workloads away, and their results.

import { Fault } from "../../../../domain/fault.ts";
import { isSliceUuid, isSplit, numbersWithin } from "../../../../domain/gpu/gpu-slices.ts";
import { pendingTests } from "../../../../domain/gpu/gpu-test.ts";
import { profilesOn } from "../../../../domain/gpu/mig/layout-drift.ts";
import {
  listedProfiles,
  type MigProfileLists,
} from "../../../../domain/gpu/mig/listed-profiles.ts";
import {
  beginMigChange,
  changingGpus,
  endMigChange,
  type MigChange,
  type MigChangeResult,
  type MigDivision,
  type MigLayouts,
  requestedChanges,
  requestMigLayouts,
  withReadChanges,
} from "../../../../domain/gpu/mig/mig-layout.ts";
import {
  isProfileName,
  isSameLayout,
  planMigLayout,
} from "../../../../domain/gpu/mig/mig-profiles.ts";
import type { SharedGpus } from "../../../../domain/gpu-share/gpu-share.ts";
import { wholeGpuOf } from "../../../../domain/gpu-share/with-shares.ts";
import { topic } from "../../../../store/engine/notifier.ts";
import { notify, type Tx } from "../../../../store/engine/statement.ts";
import { gpuHealthOf, lockGpuHealth, setGpuHealth } from "../../../../store/replica/gpu-health.ts";
import { recordedInventory } from "../../../../store/replica/inventory.ts";
import { busyText, usageOfGpus } from "../gpu-usage.ts";
import { announceObstacle, announceRestore } from "./announce-restores.ts";

/** Refuses to divide a GPU that is not there, or that something holds, tests or shares. The machine must be locked. */
export function* refuseMigLayouts(
  machine: string,
  layouts: MigLayouts,
  { sharedGpus, tests }: { sharedGpus: SharedGpus; tests: readonly string[] },
): Tx<Fault | null> {
  const uuids = Object.keys(layouts);
  if (uuids.length === 0) return null;
  const health = yield* lockGpuHealth(machine);
  const inventory = yield* recordedInventory(machine);
  if (!health || !inventory) return new Fault("machine_not_found", { id: machine });
  const { gpuNodes = {} } = inventory;
  for (const uuid of uuids) {
    const refuse = (why: string) =>
      new Fault("invalid_body", { detail: `"migLayouts" names the GPU ${uuid}, ${why}.` });
    const wrong = layouts[uuid]?.find((name) => !isProfileName(name));
    if (wrong !== undefined) return refuse(`and "${wrong}" is no MIG profile such as 3g.40gb`);
    const listed = listedProfiles(health, uuid, inventory.gpuDriver);
    const plan = listed.length > 0 ? planMigLayout(listed, layouts[uuid] ?? []) : {};
    if ("refusal" in plan) return refuse(`and ${plan.refusal}`);
    if (isSliceUuid(uuid)) return refuse("which is a MIG device; name its GPU");
    if (Object.hasOwn(gpuNodes, uuid)) return refuse("which has no MIG mode");
    if (!wholeGpuOf(inventory, uuid) && !isSplit(inventory, uuid))
      return refuse("which the machine does not have now");
    if (Object.hasOwn(sharedGpus, uuid))
      return refuse("which is shared; make it whole before you divide it into MIG devices");
    const isSame = isSameLayout(profilesOn(inventory, uuid), layouts[uuid] ?? []);
    const usage = isSame ? null : yield* usageOfGpus(machine, numbersWithin(inventory, uuid));
    if (usage) return refuse(`${usage}; nothing may run on a GPU whose layout changes`);
    if ([...pendingTests(health), ...tests].includes(uuid)) return refuse("which is being tested");
    if (changingGpus(health).includes(uuid)) return refuse("whose layout is being changed");
  }
  return null;
}

/** Requests changes that were not refused. */
export function* requestMigChanges(machine: string, layouts: MigLayouts, now: number): Tx<void> {
  const health = Object.keys(layouts).length === 0 ? undefined : yield* lockGpuHealth(machine);
  if (!health) return;
  yield* setGpuHealth(machine, requestMigLayouts(health, layouts, now));
  yield* notify(topic.migLayouts(machine));
  yield* notify(topic.fleet);
}

/** The changes that are to be made, by UUID. */
export function* requestedMigChanges(machine: string): Tx<[string, MigChange][]> {
  const health = yield* gpuHealthOf(machine);
  return health ? requestedChanges(health) : [];
}

/**
 * Returns false for a change that has ended, or whose place another one took. A layout that the GPU had when it was requested is
 * not refused while workloads hold its devices; it is now, if the GPU was divided otherwise meanwhile.
 */
export function* beginChange(
  machine: string,
  uuid: string,
  change: MigChange,
  { earlier, now }: { earlier: MigDivision; now: number },
): Tx<boolean> {
  const before = yield* lockGpuHealth(machine);
  const begun = before && beginMigChange(before, uuid, change, earlier);
  if (!begun) return false;
  const inventory = (yield* recordedInventory(machine)) ?? {};
  const usage = yield* usageOfGpus(machine, numbersWithin(inventory, uuid));
  if (usage !== null) {
    const text = busyText(usage);
    yield* recordMigChange(machine, uuid, change, { outcome: "refused", text, at: now });
    return false;
  }
  yield* setGpuHealth(machine, begun);
  return true;
}

/** The GPU gets no new workload before it was read again. */
export function* recordMigChange(
  machine: string,
  uuid: string,
  change: MigChange,
  result: MigChangeResult & { at: number },
): Tx<void> {
  const before = yield* lockGpuHealth(machine);
  if (!before) return;
  const ended = endMigChange(before, uuid, change, result);
  if (ended === before) return;
  const restore = { uuid, profiles: change.profiles ?? [] };
  const { outcome, text, at } = result;
  const isRefused = change.isRestore && outcome !== "set";
  const after = isRefused
    ? yield* announceObstacle(machine, ended, { ...restore, obstacle: "refused", text }, at)
    : ended;
  yield* setGpuHealth(machine, after);
  yield* notify(topic.gpus(machine));
  if (change.isRestore && outcome === "set") yield* announceRestore(machine, restore, at);
}

/** Records the profiles that the driver lists for a GPU. */
export function* recordMigProfiles(
  machine: string,
  uuid: string,
  read: MigProfileLists[string],
): Tx<void> {
  const before = yield* lockGpuHealth(machine);
  if (!before) return;
  yield* setGpuHealth(machine, {
    ...before,
    migProfiles: { ...before.migProfiles, [uuid]: read },
  });
}

/** Offers GPUs again whose layout was read since it changed. */
export function* recordReadLayouts(machine: string, uuids: readonly string[]): Tx<void> {
  const before = yield* lockGpuHealth(machine);
  if (!before) return;
  yield* setGpuHealth(machine, withReadChanges(before, uuids));
  yield* notify(topic.fleet);
  yield* notify(topic.workloads);
}
