// What a worker adds to the quotas that it counts against.

import type { Catalog } from "../catalog/catalog.ts";
import type { EndpointSpec } from "../endpoint/endpoint.ts";
import type { Placement } from "../placement/decide.ts";
import { PER_GPU } from "../worker/placement-request.ts";
import { workerRate, workerRateOn } from "../worker/rate.ts";
import type { Allocation } from "../worker/worker.ts";
import type { Addition } from "./quota.ts";

/** The part of its machine that quotas count. */
export type WorkerShare = Pick<Allocation, "gpuTypeId" | "vcpus" | "rate"> & {
  gpus: { length: number };
};

/** A worker on simulated GPUs occupies no vCPUs, but counts as on real ones, as a Pod does. */
export function additionOfWorker({ gpus, gpuTypeId, vcpus, rate }: WorkerShare): Addition {
  const counted = vcpus > 0 ? vcpus : gpus.length * PER_GPU.vcpus;
  return { gpus: gpus.length, gpuTypeId, vcpus: counted, rate };
}

/** What a worker holds where it would be placed; null for a machine that needs nothing but the driver. */
export function shareAt(
  catalog: Catalog,
  spec: EndpointSpec,
  placement: Placement | null,
): WorkerShare {
  if (placement === null) return { gpus: [], gpuTypeId: null, vcpus: 0, rate: 0 };
  const share = expectedShare(catalog, spec);
  if (!("placed" in placement)) return share;
  const { placed } = placement;
  const { gpuTypeId, gpuIndices: gpus, virtual } = placed;
  return {
    gpus,
    gpuTypeId,
    vcpus: virtual ? 0 : share.vcpus,
    rate: workerRate(catalog, spec, placed),
  };
}

/** What the next worker of an endpoint would hold, before its place is known: on the first GPU type that is not left out. */
export function expectedShare(
  catalog: Catalog,
  spec: EndpointSpec,
  exceptGpuTypes: readonly string[] = [],
): WorkerShare {
  const { computeType, gpuCount, vcpuCount, gpuTypeIds } = spec;
  const onGpu = computeType === "GPU";
  const [first = null] = gpuTypeIds;
  const gpuTypeId = gpuTypeIds.find((id) => !exceptGpuTypes.includes(id)) ?? first;
  return {
    gpus: { length: onGpu ? gpuCount : 0 },
    gpuTypeId,
    vcpus: onGpu ? gpuCount * PER_GPU.vcpus : vcpuCount,
    rate: workerRateOn(catalog, spec, gpuTypeId, gpuCount),
  };
}
