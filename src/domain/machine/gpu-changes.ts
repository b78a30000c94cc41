// What a reading of a machine's GPUs changes for what runs on them. Pure.

import { faultyGpus, type GpuFault } from "../gpu/gpu-health.ts";
import { isSliceUuid, isSplit, numbersConcerned } from "../gpu/gpu-slices.ts";
import { wholeNumber } from "../gpu-share/gpu-share.ts";
import { uuidByNumber } from "./gpu-numbers.ts";
import type { Inventory } from "./inventory.ts";

type Offer = Pick<Inventory, "gpus" | "node">;
type Faults = Pick<Inventory, "gpuFaults" | "gpuNumbers" | "gpuSlices" | "gpuShares">;

/** The GPUs of a workload, by their numbers on its machine. */
interface AssignedGpus {
  gpus: readonly number[];
  virtual: boolean;
}

/** The real GPUs that a machine has no longer, and those that it has again. Nodes of a cluster number theirs anew. */
export function changedGpus(before: Offer, after: Offer): { lost: number[]; back: number[] } {
  if (before.node || after.node) return { lost: [], back: [] };
  const [old, present] = [realIndices(before), realIndices(after)];
  return {
    lost: [...old].filter((index) => !present.has(index)),
    back: [...present].filter((index) => !old.has(index)),
  };
}

/** The GPUs of a Pod that its machine has no longer. */
export function missingGpus({ gpus, virtual }: AssignedGpus, inventory: Offer): number[] {
  if (virtual || inventory.node) return [];
  const present = realIndices(inventory);
  return gpus.filter((index) => !present.has(index));
}

/** The faults of a Pod's GPUs. A cordon or another MIG layout keeps others away, and the Pod runs on. */
export function faultsOf({ gpus, virtual }: AssignedGpus, machine: Faults): GpuFault[] {
  const isFaulty = (fault: GpuFault) =>
    fault.code !== "cordoned" &&
    fault.code !== "mig_layout" &&
    numbersConcerned(machine, [fault]).some((index) => gpus.includes(index));
  return virtual ? [] : (machine.gpuFaults ?? []).filter(isFaulty);
}

/** The GPUs that are out of service since a reading, and those that are back in service. */
export function changedFaults(
  before: Faults,
  after: Offer & Faults,
): { faulty: GpuFault[]; repaired: number[] } {
  const [old, present] = [faultyGpus(before), faultyGpus(after)];
  const real = realIndices(after);
  return {
    faulty: (after.gpuFaults ?? []).filter(({ index }) => !old.has(index)),
    repaired: [...old].filter((index) => !present.has(index) && real.has(index)),
  };
}

const realIndices = ({ gpus }: Offer): Set<number> =>
  new Set(gpus.filter(({ virtual }) => !virtual).flatMap(({ indices }) => indices));

/** Why GPUs are not read any more. A change of the layout of MIG devices is no trouble of the machine. */
export function lossText(
  indices: readonly number[],
  machine: Pick<Inventory, "gpuTrouble" | "gpuNumbers" | "gpuSlices">,
): string | null {
  const uuids = uuidByNumber(machine.gpuNumbers ?? {});
  const lost = indices.flatMap((index) => uuids.get(wholeNumber(index)) ?? []);
  if (machine.gpuTrouble) return machine.gpuTrouble;
  if (lost.length > 0 && lost.every(isSliceUuid)) return "its MIG device was deleted";
  return lost.some((uuid) => isSplit(machine, uuid)) ? "it was split into MIG devices" : null;
}

/** "GPU 1", or "GPUs 1 and 3"; a share goes by the number of its GPU. */
export function gpuNumbers(assigned: readonly number[]): string {
  const indices = [...new Set(assigned.map(wholeNumber))];
  const last = indices.at(-1);
  if (indices.length < 2) return `GPU ${last}`;
  return `GPUs ${indices.slice(0, -1).join(", ")} and ${last}`;
}
