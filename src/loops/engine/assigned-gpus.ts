// The GPUs of a workload in the words of its driver.

import { computePercent, wholeNumber } from "../../domain/gpu-share/gpu-share.ts";
import { parseShareType } from "../../domain/gpu-share/share-name.ts";
import { gpuNumbers } from "../../domain/machine/gpu-changes.ts";
import { uuidsOf } from "../../domain/machine/gpu-numbers.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import { StartRefused, type Workload } from "../../drivers/driver.ts";

interface Assigned {
  gpuTypeId: string | null;
  gpus: number[];
  virtual: boolean;
}

type GpuResources = Pick<
  NonNullable<Workload["resources"]>,
  "gpuIndices" | "gpuUuids" | "gpuNodes" | "mpsLimits" | "simulatedGpus"
>;

/** A share gets its whole GPU as a device. Throws StartRefused for a GPU that the machine never had: its number would be another card's. */
export function assignedGpus(
  { gpuTypeId, gpus, virtual }: Assigned,
  { gpuNumbers: numbers = {}, gpuNodes: nodes = {} }: Pick<Inventory, "gpuNumbers" | "gpuNodes">,
): GpuResources {
  if (virtual) return gpuTypeId === null ? {} : { simulatedGpus: { gpuTypeId, indices: gpus } };
  if (gpus.length === 0) return {};
  // Declared GPUs have no UUIDs, and neither do those of a cluster's nodes.
  if (Object.keys(numbers).length === 0) return { gpuIndices: gpus };
  const gpuUuids = uuidsOf(numbers, gpus);
  if (gpuUuids === null) {
    throw new StartRefused(`its machine does not list its ${gpuNumbers(gpus)}`);
  }
  const gpuNodes = gpuUuids.flatMap((uuid) => nodes[uuid] ?? []);
  const gpuIndices = gpus.map(wholeNumber);
  const share = parseShareType(gpuTypeId ?? "");
  return {
    gpuIndices,
    gpuUuids,
    ...(gpuNodes.length > 0 && { gpuNodes }),
    ...(share?.mps && {
      mpsLimits: { memoryInGb: share.memoryInGb, computePercent: computePercent(share) },
    }),
  };
}
