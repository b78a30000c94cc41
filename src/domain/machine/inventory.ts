// What a machine offers: what was seen of it, what its operator says of it, and GPUs that exist only
// on paper, so that everything about GPU Pods works without one. Pure.

import type { Catalog } from "../catalog/catalog.ts";
import { canonicalGpuType } from "../catalog/catalog.ts";

/** What was seen of the hardware. */
export interface Hardware {
  vcpus: number;
  memoryMb: number;
  diskGb: number;
  gpus: SeenGpu[];
  /** Of the GPUs; null where there are none. */
  gpuDriver: string | null;
  cudaVersion: string | null;
}

export interface SeenGpu {
  index: number;
  /** As its driver calls it. */
  name: string;
  memoryMb: number;
}

/** What nobody can see, and what is to be offered instead of what was seen. */
export interface Declared {
  dataCenterId?: string;
  countryCode?: string;
  location?: string;
  cloudType?: "SECURE" | "COMMUNITY";
  cudaVersion?: string;
  downloadMbps?: number;
  uploadMbps?: number;
  diskMBps?: number;
  supportPublicIp?: boolean;
  vcpus?: number;
  memoryInGb?: number;
  diskInGb?: number;
}

/** GPUs of one type. */
export interface GpuGroup {
  gpuTypeId: string;
  memoryMb: number;
  /** True where they exist only on paper, and with them the CPUs and memory that they come with. */
  virtual: boolean;
  /** By which the driver knows them, and by which they are given out. */
  indices: number[];
}

/** What is null was not declared, and matches whatever is asked. */
export interface Inventory {
  vcpus: number;
  memoryMb: number;
  diskGb: number;
  gpus: GpuGroup[];
  gpuDriver: string | null;
  cudaVersion: string | null;
  dataCenterId: string | null;
  countryCode: string | null;
  location: string | null;
  cloudType: "SECURE" | "COMMUNITY" | null;
  downloadMbps: number | null;
  uploadMbps: number | null;
  diskMBps: number | null;
  supportPublicIp: boolean | null;
  /** Whether its engine keeps containers to their disk, or their use is measured; where it is known. */
  quota?: "enforced" | "measured" | null;
}

/** Of a machine that nobody has seen. */
export const nothing: Inventory = {
  vcpus: 0,
  memoryMb: 0,
  diskGb: 0,
  gpus: [],
  gpuDriver: null,
  cudaVersion: null,
  dataCenterId: null,
  countryCode: null,
  location: null,
  cloudType: null,
  downloadMbps: null,
  uploadMbps: null,
  diskMBps: null,
  supportPublicIp: null,
};

/** So many virtual GPUs of each type. */
export type VirtualGpus = Readonly<Record<string, number>>;

export function inventoryOf(
  catalog: Catalog,
  seen: Hardware,
  declared: Declared,
  virtual: VirtualGpus,
): Inventory {
  const center = catalog.dataCenters.find(({ id }) => id === declared.dataCenterId);
  return {
    vcpus: declared.vcpus ?? seen.vcpus,
    memoryMb: declared.memoryInGb === undefined ? seen.memoryMb : declared.memoryInGb * 1_024,
    diskGb: declared.diskInGb ?? seen.diskGb,
    gpus: [...realGpus(catalog, seen.gpus), ...virtualGpus(catalog, seen.gpus, virtual)],
    gpuDriver: seen.gpuDriver,
    cudaVersion: declared.cudaVersion ?? seen.cudaVersion,
    dataCenterId: declared.dataCenterId ?? null,
    countryCode: declared.countryCode ?? center?.countryCode ?? null,
    location: declared.location ?? center?.location ?? null,
    cloudType: declared.cloudType ?? null,
    downloadMbps: declared.downloadMbps ?? null,
    uploadMbps: declared.uploadMbps ?? null,
    diskMBps: declared.diskMBps ?? null,
    supportPublicIp: declared.supportPublicIp ?? null,
  };
}

function realGpus(catalog: Catalog, seen: SeenGpu[]): GpuGroup[] {
  const groups = new Map<string, GpuGroup>();
  for (const { index, name, memoryMb } of seen) {
    const gpuTypeId = canonicalGpuType(catalog, name);
    const group = groups.get(gpuTypeId) ?? { gpuTypeId, memoryMb, virtual: false, indices: [] };
    group.indices.push(index);
    groups.set(gpuTypeId, group);
  }
  return [...groups.values()];
}

/** Their indices lie beyond those of real ones, which may change between starts. */
const FIRST_VIRTUAL = 1_000;

function virtualGpus(catalog: Catalog, seen: SeenGpu[], wanted: VirtualGpus): GpuGroup[] {
  const real = new Set(seen.map(({ name }) => canonicalGpuType(catalog, name)));
  return catalog.gpuTypes.flatMap(({ id, memoryInGb }, n) => {
    const count = real.has(id) ? 0 : (wanted[id] ?? 0);
    if (count === 0) return [];
    const first = FIRST_VIRTUAL * (n + 1);
    const indices = Array.from({ length: count }, (_, k) => first + k);
    return [{ gpuTypeId: id, memoryMb: memoryInGb * 1_024, virtual: true, indices }];
  });
}
