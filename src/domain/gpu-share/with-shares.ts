// What a machine offers once some of its GPUs are shared. Pure.

import { MB_PER_GB } from "../../base/units.ts";
import { type SharedGpus, shareNumbers } from "./gpu-share.ts";
import { shareTypeId } from "./share-name.ts";

interface Group {
  gpuTypeId: string;
  memoryMb: number;
  virtual: boolean;
  indices: number[];
}

interface Offer {
  gpus: Group[];
  gpuNumbers?: Readonly<Record<string, number>>;
}

/** The whole GPU with a UUID among those that a machine offers; undefined if it does not, as while it is split into MIG devices. */
export function wholeGpuOf({ gpus, gpuNumbers = {} }: Offer, uuid: string) {
  const index = Object.hasOwn(gpuNumbers, uuid) ? gpuNumbers[uuid]! : undefined;
  if (index === undefined) return undefined;
  const group = gpus.find(({ virtual, indices }) => !virtual && indices.includes(index));
  return group && { index, group };
}

/**
 * An inventory in which shares stand in place of their GPUs. A GPU that is not offered now has no shares to rent, and what
 * concerns it concerns those that are held.
 */
export function withShares<Of extends Offer>(
  inventory: Of,
  shared: SharedGpus,
): Of & { gpuShares?: SharedGpus } {
  const { gpuNumbers = {} } = inventory;
  const own = Object.entries(shared).filter(([uuid]) => Object.hasOwn(gpuNumbers, uuid));
  if (own.length === 0) return inventory;
  const divided = own.flatMap(([uuid, layout]) => {
    const whole = wholeGpuOf(inventory, uuid);
    return whole ? [{ layout, ...whole }] : [];
  });
  const wholes = new Set(divided.map(({ index }) => index));
  const left = inventory.gpus
    .map((group) =>
      group.virtual
        ? group
        : { ...group, indices: group.indices.filter((index) => !wholes.has(index)) },
    )
    .filter(({ indices }) => indices.length > 0);
  const shares = new Map<string, Group>();
  for (const { index, layout, group } of divided) {
    const gpuTypeId = shareTypeId(group.gpuTypeId, layout);
    const before = shares.get(gpuTypeId)?.indices ?? [];
    const indices = [...before, ...shareNumbers(index, layout)];
    const memoryMb = layout.memoryInGb * MB_PER_GB;
    shares.set(gpuTypeId, { gpuTypeId, memoryMb, virtual: false, indices });
  }
  return {
    ...inventory,
    gpus: [...left, ...shares.values()],
    gpuShares: Object.fromEntries(own),
  };
}
