// Divides GPUs of a machine into shares, or makes them whole again, while nothing runs on them.

import { MB_PER_GB } from "../../../base/units.ts";
import { Fault } from "../../../domain/fault.ts";
import { isSliceUuid, isSplit, numbersWithin } from "../../../domain/gpu/gpu-slices.ts";
import { changingGpus } from "../../../domain/gpu/mig/mig-layout.ts";
import type { SharedGpus, ShareLayout } from "../../../domain/gpu-share/gpu-share.ts";
import { shareTypeId } from "../../../domain/gpu-share/share-name.ts";
import { wholeGpuOf } from "../../../domain/gpu-share/with-shares.ts";
import { isAmdUuid } from "../../../domain/machine/gpu-nodes.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import type { Tx } from "../../../store/engine/statement.ts";
import { lockGpuHealth } from "../../../store/replica/gpu-health.ts";
import { readInventory } from "../../../store/replica/inventory.ts";
import { lockPartTypes } from "./add-slice-types.ts";
import { usageOfGpus } from "./gpu-usage.ts";

/** Null makes a GPU whole. */
export type ShareChanges = Readonly<Record<string, ShareLayout | null>>;

/**
 * Returns the GPU types of these shares, for `addPartTypes`, and locks the price book if it lacks one. Call this before the
 * transaction locks the machine, as everything that changes the catalog.
 */
export function* lockShareTypes(machine: string, changes: ShareChanges): Tx<string[]> {
  if (Object.keys(changes).length === 0) return [];
  const inventory = yield* readInventory(machine);
  const ids = Object.entries(changes).flatMap(([uuid, layout]) => {
    if (!inventory || !layout || unfit(inventory, uuid, layout) !== null) return [];
    return [shareTypeId(wholeGpuOf(inventory, uuid)!.group.gpuTypeId, layout)];
  });
  yield* lockPartTypes(ids);
  return ids;
}

/** The machine must be locked. Returns how its GPUs are divided from now on. */
export function* shareGpus(
  machine: string,
  before: SharedGpus,
  changes: ShareChanges,
): Tx<SharedGpus | Fault> {
  const changed = Object.entries(changes).filter(
    ([uuid, layout]) => !isSame(before[uuid] ?? null, layout),
  );
  if (changed.length === 0) return before;
  const inventory = yield* readInventory(machine);
  if (!inventory) return new Fault("machine_not_found", { id: machine });
  const changing = changingGpus((yield* lockGpuHealth(machine)) ?? {});
  // A GPU that cannot be read now is not among the shares of the offer, and its holders keep theirs.
  const divided = { ...inventory, gpuShares: before };
  for (const [uuid, layout] of changed) {
    const refuse = (why: string) =>
      new Fault("invalid_body", { detail: `"sharedGpus" names the GPU ${uuid}, ${why}.` });
    const why = layout && unfit(inventory, uuid, layout);
    if (why) return refuse(why);
    const usage = yield* usageOfGpus(machine, numbersWithin(divided, uuid));
    if (usage) return refuse(`${usage}; nothing may run on a GPU whose layout changes`);
    if (layout && changing.includes(uuid)) return refuse("whose MIG layout is being changed");
  }
  const all = Object.entries({ ...before, ...Object.fromEntries(changed) });
  return Object.fromEntries(all.filter(([, layout]) => layout !== null)) as SharedGpus;
}

const isSame = (a: ShareLayout | null, b: ShareLayout | null) =>
  a?.count === b?.count && a?.memoryInGb === b?.memoryInGb && a?.mps === b?.mps;

/** Why a GPU cannot be divided so; null if it can. */
function unfit(inventory: Inventory, uuid: string, { count, memoryInGb, mps }: ShareLayout) {
  if (mps && isAmdUuid(uuid)) return "which is not made by NVIDIA; MPS is a service of its driver";
  if (isSliceUuid(uuid) || isSplit(inventory, uuid))
    return "which is in MIG mode; only a whole GPU can be shared";
  const whole = wholeGpuOf(inventory, uuid);
  if (!whole) return "which the machine does not have";
  const { memoryMb } = whole.group;
  if (count * memoryInGb * MB_PER_GB <= memoryMb) return null;
  const limit = Math.floor(memoryMb / MB_PER_GB / count);
  return (
    `whose memory of ${memoryMb.toLocaleString("en")} MB is less than ${count} times ${memoryInGb} GB; ` +
    `${count} shares have at most ${limit} GB each`
  );
}
