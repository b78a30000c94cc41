// A request to start a stopped Pod, and the resources that it needs on its machine.

import { type Catalog, idsOf } from "../catalog/catalog.ts";
import type { PlacementRequest } from "../placement/request.ts";
import { requestOf, unofferedOf } from "./compute.ts";
import type { Pod } from "./pod.ts";
import type { PodSpec } from "./spec.ts";

export interface StartRequest {
  /** 0 starts it without GPUs; if omitted, it gets the same number as before. */
  gpuCount?: number;
  /** CUDA versions that its machine may have; empty for any. */
  allowedCudaVersions?: string[];
  /** The bid of a spot Pod, in micro-dollars; if omitted, the current one. */
  bidPerGpu?: number;
}

/**
 * The spec to place it by, and the compute that it takes. Without its GPUs it takes the CPUs and
 * memory of a Pod with one GPU, and its spec keeps the number of GPUs.
 */
export function specToStart(
  catalog: Catalog,
  { desired, placement: { gpuTypeId, cpuFlavorId, driver } }: Pod,
  { gpuCount, allowedCudaVersions, bidPerGpu }: StartRequest,
): { spec: PodSpec; compute: PlacementRequest["compute"] } {
  const onGpu = desired.spec.computeType === "GPU";
  const spec = {
    ...desired.spec,
    ...(gpuTypeId !== null && { gpuTypeIds: [gpuTypeId] }),
    ...(cpuFlavorId !== null && { cpuFlavorIds: [cpuFlavorId] }),
    ...(onGpu && gpuCount && { gpuCount }),
    ...(bidPerGpu !== undefined && { bidPerGpu }),
    ...(allowedCudaVersions?.length && { allowedCudaVersions }),
  };
  const withoutGpus = onGpu && gpuCount === 0;
  const sized = withoutGpus ? { ...spec, gpuCount: 1 } : spec;
  const { compute } = requestOf(catalog, sized, driver, null);
  if (withoutGpus && compute.kind === "GPU") return { spec, compute: { ...compute, count: 0 } };
  return { spec, compute };
}

/** What the catalog does not offer any more and the start needs, or null. A Pod without its GPUs needs no type. */
export function unofferedToStart(
  catalog: Catalog,
  spec: PodSpec,
  { kind, count = 0 }: { kind: "GPU" | "CPU"; count?: number },
): string | null {
  const { dataCenterIds, networkVolumeId } = spec;
  const centers = idsOf(catalog.dataCenters);
  const isElsewhere = dataCenterIds.length > 0 && !dataCenterIds.some((id) => centers.includes(id));
  if (isElsewhere && networkVolumeId === null) {
    return `Pods in the data center ${dataCenterIds.join(" or ")}`;
  }
  return kind === "GPU" && count === 0 ? null : unofferedOf(catalog, spec);
}
