// A machine without anything worth renting, for tests.

import type { Inventory } from "./inventory.ts";

export const bareInventory: Inventory = {
  vcpus: 1,
  memoryMb: 1_024,
  diskGb: 1,
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
