// What a Pod or a worker asks of the machine it is to run on. Empty lists and nulls ask for nothing.

import type { Catalog, CloudType } from "../catalog/catalog.ts";

export interface GpuWish {
  kind: "GPU";
  /** In the order of preference; empty: any. */
  typeIds: readonly string[];
  /** True where the type with the most free ones goes first, false for the order of the list. */
  byStock: boolean;
  /** 0 for a Pod that is started without its GPUs. */
  count: number;
  vcpus: number;
  memoryMb: number;
}

export interface CpuWish {
  kind: "CPU";
  vcpus: number;
  memoryMb: number;
}

export interface PlacementWish {
  compute: GpuWish | CpuWish;
  /** Which driver must run it. */
  driver: string;
  diskGb: number;
  /** The network volume it mounts and the machine that has its data; null where none does yet. */
  volume: { id: string; machine: string } | null;
  /** "ALL" asks for nothing. */
  cloudType: CloudType;
  dataCenterIds: readonly string[];
  /** True where the data center with the most free GPUs goes first, false for the order of the list. */
  dataCentersByStock: boolean;
  countryCodes: readonly string[];
  cudaVersions: readonly string[];
  minDownloadMbps: number | null;
  minUploadMbps: number | null;
  minDiskMBps: number | null;
  supportPublicIp: boolean | null;
  /** True for what takes nobody's place: spot Pods give way to all others. */
  spot: boolean;
}

/** Those that a machine may have, by a list and a least one. The catalog's are the newest first. */
export function cudaVersionsOf(
  catalog: Catalog,
  asked: { allowedCudaVersions: readonly string[]; minCudaVersion: string | null },
): readonly string[] {
  const { allowedCudaVersions, minCudaVersion } = asked;
  if (minCudaVersion === null) return allowedCudaVersions;
  const enough = catalog.cudaVersions.slice(0, catalog.cudaVersions.indexOf(minCudaVersion) + 1);
  if (allowedCudaVersions.length === 0) return enough;
  return allowedCudaVersions.filter((version) => enough.includes(version));
}
