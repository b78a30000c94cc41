// The smallest placement request for GPUs: what a Pod needs at least, anywhere.

import { MB_PER_GB } from "../../base/units.ts";
import { ANY_CUDA } from "../catalog/cuda-version.ts";
import type { PlacementRequest } from "./request.ts";

/** The minimum of a Pod per GPU. */
export const VCPUS_PER_GPU = 2;
export const MEMORY_GB_PER_GPU = 8;

export function gpuRequest(count: number): PlacementRequest {
  return {
    compute: {
      kind: "GPU",
      typeIds: [],
      byStock: true,
      count,
      vcpus: count * VCPUS_PER_GPU,
      memoryMb: count * MEMORY_GB_PER_GPU * MB_PER_GB,
    },
    driver: "",
    diskGb: 0,
    volume: null,
    cloudType: "ALL",
    dataCenterIds: [],
    dataCentersByStock: true,
    countryCodes: [],
    cuda: ANY_CUDA,
    minDownloadMbps: null,
    minUploadMbps: null,
    minDiskMBps: null,
    supportPublicIp: null,
    spot: false,
  };
}
