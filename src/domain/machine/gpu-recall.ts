// What a machine's stored inventory says of its GPUs, for a driver that fails after a restart. Pure.

import { uuidByNumber } from "./gpu-numbers.ts";
import type { GpuHardware, Inventory } from "./inventory.ts";

type Recalled = GpuHardware & { readings: [] };

/** Empty for a machine whose GPUs were declared and not read. */
export function recalledGpus(inventory: Inventory): Recalled {
  const { gpuNumbers = {}, gpuAddresses = {}, gpuNodes = {}, gpuSlices = {} } = inventory;
  const { gpuDriver, cudaVersion, gpuLinks = {} } = inventory;
  const uuids = uuidByNumber(gpuNumbers);
  const gpus = inventory.gpus
    .filter(({ virtual }) => !virtual)
    .flatMap(({ gpuTypeId, memoryMb, indices }) =>
      indices.flatMap((index) => {
        const uuid = uuids.get(index);
        return uuid === undefined ? [] : [{ index, uuid, name: gpuTypeId, memoryMb }];
      }),
    )
    .toSorted((a, b) => a.index - b.index);
  return {
    gpus,
    gpuDriver,
    cudaVersion,
    gpuTrouble: null,
    gpuFaults: [],
    gpuNotices: [],
    gpuSlices,
    readings: [],
    gpuNumbers,
    gpuAddresses,
    gpuNodes,
    gpuLinks,
  };
}
