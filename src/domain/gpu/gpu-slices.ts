// The MIG devices of a machine's GPUs. Each is offered as a GPU of its own, and shares the health of its whole. Pure.

import { type SharedGpus, shareNumbers } from "../gpu-share/gpu-share.ts";
import type { MigInstances } from "./kernel-line.ts";

/** What a MIG device is part of. */
export interface GpuSlice {
  /** The UUID of the whole GPU. */
  gpu: string;
  /** Such as "1g.10gb". */
  profile: string;
  /** Null if its driver does not say it. */
  gpuInstance: number | null;
  computeInstance: number | null;
}

/** The MIG devices that a machine has now, by UUID. */
export type GpuSlices = Readonly<Record<string, GpuSlice>>;

interface Sliced {
  gpuNumbers?: Readonly<Record<string, number>>;
  gpuSlices?: GpuSlices;
  gpuShares?: SharedGpus;
}

/** MIG devices have UUIDs of their own form, also those that are gone. */
export const isSliceUuid = (uuid: string): boolean => uuid.startsWith("MIG-");

const slicesOf = ({ gpuSlices = {} }: Sliced, uuid: string): string[] =>
  Object.keys(gpuSlices).filter((slice) => gpuSlices[slice]!.gpu === uuid);

/** Whether a GPU is offered as its MIG devices. */
export const isSplit = (machine: Sliced, uuid: string): boolean =>
  slicesOf(machine, uuid).length > 0;

/** A GPU, and its MIG devices. */
export const uuidsWithin = (machine: Pick<Sliced, "gpuSlices">, uuid: string): string[] => [
  uuid,
  ...slicesOf(machine, uuid),
];

/** The number of a GPU, and those of its MIG devices or its shares. */
export function numbersWithin(machine: Sliced, uuid: string): number[] {
  const { gpuNumbers = {}, gpuShares = {} } = machine;
  return uuidsWithin(machine, uuid).flatMap((each) => {
    if (!Object.hasOwn(gpuNumbers, each)) return [];
    const layout = Object.hasOwn(gpuShares, each) ? gpuShares[each] : undefined;
    return [gpuNumbers[each]!, ...(layout ? shareNumbers(gpuNumbers[each]!, layout) : [])];
  });
}

/** The numbers that something concerns which concerns these GPUs: what is wrong with a GPU is wrong with its MIG devices and its shares. */
export function numbersConcerned(
  machine: Sliced,
  gpus: readonly { index: number; uuid: string }[],
): number[] {
  return gpus.flatMap(({ index, uuid }) => [index, ...numbersWithin(machine, uuid)]);
}

/** The UUID of the one MIG device that an error names; that of the GPU if it names none, or more than one. */
export function concernedUuid(
  { gpuSlices = {} }: Sliced,
  uuid: string,
  { gpuInstance, computeInstance }: MigInstances,
): string {
  if (gpuInstance === undefined) return uuid;
  const matching = Object.entries(gpuSlices).filter(
    ([, slice]) =>
      slice.gpu === uuid &&
      slice.gpuInstance === gpuInstance &&
      (computeInstance === undefined || slice.computeInstance === computeInstance),
  );
  return matching.length === 1 ? matching[0]![0] : uuid;
}
