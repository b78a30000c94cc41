// A wish for one GPU and nothing else, for tests and benches.

import type { GpuWish, PlacementWish } from "./wish.ts";

export function gpuWish(typeIds: string[] = [], count = 1, byStock = true): GpuWish {
  return { kind: "GPU", typeIds, byStock, count, vcpus: 2 * count, memoryMb: 8_192 * count };
}

export const anyWish: PlacementWish = {
  compute: gpuWish(),
  driver: "docker",
  diskGb: 70,
  volume: null,
  cloudType: "SECURE",
  dataCenterIds: [],
  dataCentersByStock: true,
  countryCodes: [],
  cudaVersions: [],
  minDownloadMbps: null,
  minUploadMbps: null,
  minDiskMBps: null,
  supportPublicIp: null,
  spot: false,
};
