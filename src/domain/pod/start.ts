// What a Pod that is started again asks of its machine.

import type { Catalog } from "../catalog/catalog.ts";
import type { PlacementWish } from "../placement/wish.ts";
import { wishOf } from "./compute.ts";
import type { Pod, PodSpec } from "./pod.ts";

export interface StartWishes {
  /** 0 starts it without its GPUs; without it there are as many as before. */
  gpuCount?: number;
  /** CUDA versions that its machine may have; empty for any. */
  allowedCudaVersions?: string[];
  /** Of a spot Pod, in micro-dollars; without it there is the one of before. */
  bidPerGpu?: number;
}

/**
 * The spec it is placed by, and what it computes on. Without its GPUs it has the CPUs and memory of one,
 * and it keeps in mind how many it had.
 */
export function specToStart(
  catalog: Catalog,
  pod: Pod,
  { gpuCount, allowedCudaVersions, bidPerGpu }: StartWishes,
): { spec: PodSpec; compute: PlacementWish["compute"] } {
  const onGpu = pod.spec.computeType === "GPU";
  const spec = {
    ...pod.spec,
    ...(pod.gpuTypeId !== null && { gpuTypeIds: [pod.gpuTypeId] }),
    ...(onGpu && gpuCount && { gpuCount }),
    ...(bidPerGpu !== undefined && { bidPerGpu }),
    ...(allowedCudaVersions?.length && { allowedCudaVersions }),
  };
  const bare = onGpu && gpuCount === 0;
  const { compute } = wishOf(catalog, bare ? { ...spec, gpuCount: 1 } : spec, pod.driver, null);
  return { spec, compute: bare && compute.kind === "GPU" ? { ...compute, count: 0 } : compute };
}
