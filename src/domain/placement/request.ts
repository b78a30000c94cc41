// The placement request: the requirements of a Pod or a worker. Empty lists and nulls require nothing.

import type { CloudType } from "../catalog/catalog.ts";
import type { CudaDemand } from "../catalog/cuda-version.ts";
import { wholeGpus } from "../gpu-share/share-name.ts";

export interface GpuRequest {
  kind: "GPU";
  /** In order of preference; empty for any. */
  typeIds: readonly string[];
  /** The types that have a price; no other is rented. Absent if that does not matter. */
  offered?: readonly string[] | undefined;
  /** True to prefer the type with the most free GPUs, false for the order of the list. */
  byStock: boolean;
  /** 0 for a Pod that starts without its GPUs. */
  count: number;
  vcpus: number;
  memoryMb: number;
}

/** Whether the request takes GPUs of the type. */
export const acceptsType = (
  { typeIds, offered }: Pick<GpuRequest, "typeIds" | "offered">,
  typeId: string,
): boolean =>
  (typeIds.length === 0 || typeIds.includes(typeId)) && (offered?.includes(typeId) ?? true);

/** How many whole GPUs it asks for; shares are parts of one, and the type counts that would be the most. */
export function gpusOf({ typeIds, count }: Pick<GpuRequest, "typeIds" | "count">): number {
  if (typeIds.length === 0) return count;
  return Math.max(...typeIds.map((id) => wholeGpus(id, count)));
}

interface CpuRequest {
  kind: "CPU";
  vcpus: number;
  memoryMb: number;
}

export type DriverFeature = "clusters of Pods";

export interface PlacementRequest {
  compute: GpuRequest | CpuRequest;
  /** What the catalog does not have any more, as a reason against every machine; absent for nothing. */
  unoffered?: string | null;
  /** The driver that must run it. */
  driver: string;
  /** What not every driver offers; absent for none. */
  needs?: readonly DriverFeature[];
  /** What each of several containers needs; absent for a single one. */
  vcpusOfEach?: number;
  diskGb: number;
  /** The models that it needs in its machine's cache, as owner/name; absent for none. */
  models?: readonly string[];
  /** True if it mounts a network volume; absent for false. */
  mountsVolume?: boolean;
  /** The part of the disk for a new network volume, which a cluster provides elsewhere; absent for none. */
  newVolumeGb?: number;
  /**
   * The network volume that it mounts, and the machine that has the volume's data; null if no
   * machine has data yet.
   */
  volume: { id: string; machine: string } | null;
  /** "ALL" accepts any. */
  cloudType: CloudType;
  dataCenterIds: readonly string[];
  /** True to prefer the data center with the most free GPUs, false for the order of the list. */
  dataCentersByStock: boolean;
  countryCodes: readonly string[];
  cuda: CudaDemand;
  minDownloadMbps: number | null;
  minUploadMbps: number | null;
  minDiskMBps: number | null;
  supportPublicIp: boolean | null;
  /** True for a spot Pod: it evicts no Pod, and any Pod that is not spot may evict it. */
  spot: boolean;
}
