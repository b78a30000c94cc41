// What a cluster says of the GPUs that workloads have on a node. Pure.

import { isSliceUuid } from "../gpu-slices.ts";

type Node = { unhealthyGpus?: Readonly<Record<string, readonly string[]>> } | undefined;
type GpusOf = ReadonlyMap<string, readonly string[]>;

/** The GPUs that became unhealthy and those that are healthy again, by the workloads that have them. */
export function changedNodeGpus(
  before: Node,
  after: Node,
  healthy: readonly string[],
): { unhealthy: GpusOf; recovered: GpusOf } {
  const [old = {}, present = {}] = [before?.unhealthyGpus, after?.unhealthyGpus];
  const unhealthy = Object.entries(present)
    .map(([id, gpus]) => [id, gpus.filter((gpu) => !old[id]?.includes(gpu))] as const)
    .filter(([, gpus]) => gpus.length > 0);
  const recovered = Object.entries(old).filter(([id]) => healthy.includes(id));
  return { unhealthy: new Map(unhealthy), recovered: new Map(recovered) };
}

/** "GPU GPU-1 is out of service: ..." */
export function unhealthyGpusText(gpus: readonly string[]): string {
  const are = gpus.length === 1 ? "is" : "are";
  const them = gpus.length === 1 ? "it" : "them";
  return `${nodeGpuNames(gpus)} ${are} out of service: the device plugin of its node reports ${them} as unhealthy`;
}

/** Device plugins name GPUs and MIG devices by their UUIDs; that of AMD by their addresses. */
export const nodeGpuNames = (gpus: readonly string[]) =>
  `${gpus.every(isSliceUuid) ? "MIG device" : "GPU"}${gpus.length === 1 ? "" : "s"} ${gpus.join(", ")}`;
