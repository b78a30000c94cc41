// The MIG devices of a GPU: `nvidia-smi -L` has their profiles and UUIDs, and the document their memory and instances. Pure.

import type { GpuFault } from "./gpu-health.ts";
import type { GpuSlice } from "./gpu-slices.ts";

/** A MIG device in the document. */
export interface MigElement {
  /** Its number on its GPU. */
  device: number;
  gpuInstance: number | null;
  computeInstance: number | null;
  /** Null if the document does not say it. */
  memoryMb: number | null;
}

/** A MIG device in the list. */
export interface ListedMig {
  /** The UUID of its GPU. */
  gpu: string;
  device: number;
  /** Such as "1g.10gb". */
  profile: string;
  uuid: string;
}

export interface MigDevice extends GpuSlice {
  uuid: string;
  memoryMb: number;
  /** Why it is not offered; null if it is. */
  finding: Omit<GpuFault, "index" | "uuid"> | null;
}

/** The MIG devices are lines below their GPU. Drivers before 470 write their UUIDs as MIG-GPU-UUID/3/0. */
export function parseMigList(text: string): ListedMig[] {
  let gpu = "";
  return text.split("\n").flatMap((line) => {
    gpu = /^GPU \d+:.*\(UUID: (GPU-[\w-]+)\)/.exec(line)?.[1] ?? (/^\S/.test(line) ? "" : gpu);
    const [, profile, device, uuid] =
      /^\s+MIG (\S+)\s+Device\s+(\d+): \(UUID: (MIG-[\w/-]+)\)/.exec(line) ?? [];
    if (gpu === "" || profile === undefined || uuid === undefined) return [];
    return [{ gpu, device: Number(device), profile, uuid }];
  });
}

/** Null if list and document do not have the same devices, as while the layout changes. */
export function joinMig(
  elements: readonly MigElement[],
  listed: readonly ListedMig[],
): MigDevice[] | null {
  if (elements.length !== listed.length) return null;
  const devices = listed.flatMap(({ device, ...each }) => {
    const element = elements.find((one) => one.device === device);
    if (!element) return [];
    const { gpuInstance, computeInstance } = element;
    const sharing = elements.filter(
      (one) => gpuInstance !== null && one.gpuInstance === gpuInstance,
    );
    const memoryMb = element.memoryMb ?? memoryIn(each.profile);
    const finding = sharing.length > 1 ? SHARED : null;
    return [{ ...each, gpuInstance, computeInstance, memoryMb, finding }];
  });
  return devices.length === listed.length ? devices : null;
}

/** The compute instances of one GPU instance have one memory: each would be sold all of it. */
const SHARED: MigDevice["finding"] = {
  code: "mig_mode",
  reason: "it shares the memory of its GPU instance with another MIG device",
  recommendation: "create one compute instance in each GPU instance",
};

const memoryIn = (profile: string) => Number(/(\d+)gb/.exec(profile)?.[1] ?? 0) * 1_024;
