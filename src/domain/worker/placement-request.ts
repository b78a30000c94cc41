// The placement request of a worker. Pure.

import {
  type Catalog,
  describeCpus,
  notOffered,
  rentableGpus,
  unofferedGpus,
} from "../catalog/catalog.ts";
import { cpuMemoryMb } from "../catalog/cpu-instance.ts";
import { ANY_CUDA } from "../catalog/cuda-version.ts";
import type { EndpointSpec } from "../endpoint/endpoint.ts";
import { modelNames } from "../model/presence.ts";
import type { Place } from "../placement/place.ts";
import type { PlacementRequest } from "../placement/request.ts";

/** The minimum for each GPU. */
export const PER_GPU = { vcpus: 2, memoryMb: 8_192 };

/**
 * Null if any machine with the driver is suitable: processes share the whole machine, and an
 * endpoint that names no GPU type runs without a GPU if no machine has one with a price.
 */
export function workerRequest(
  catalog: Catalog,
  spec: EndpointSpec,
  driver: string,
  places: readonly Pick<Place, "inventory" | "free" | "drivers">[],
): PlacementRequest | null {
  if (driver === "process") return null;
  const compute =
    spec.computeType === "GPU" ? gpus(catalog, spec, driver, places) : cpus(catalog, spec);
  return (
    compute && {
      unoffered: unofferedTo(catalog, spec),
      compute,
      driver,
      diskGb: 0,
      ...(spec.modelReferences.length > 0 && { models: modelNames(spec.modelReferences) }),
      volume: null,
      cloudType: "ALL",
      dataCenterIds: spec.dataCenterIds,
      dataCentersByStock: true,
      countryCodes: [],
      cuda:
        spec.computeType === "CPU"
          ? ANY_CUDA
          : { allowed: spec.allowedCudaVersions, minimum: spec.minCudaVersion },
      minDownloadMbps: null,
      minUploadMbps: null,
      minDiskMBps: null,
      supportPublicIp: null,
      spot: false,
    }
  );
}

/** A worker of an earlier catalog would run at no charge. */
function unofferedTo(catalog: Catalog, spec: EndpointSpec): string | null {
  const { computeType, gpuTypeIds, cpuFlavorIds } = spec;
  if (computeType === "CPU") {
    if (flavorOf(catalog, spec)) return null;
    return notOffered(describeCpus(cpuFlavorIds));
  }
  const missing = unofferedGpus(catalog, gpuTypeIds);
  return missing && notOffered(missing);
}

function gpus(
  catalog: Catalog,
  { gpuTypeIds, gpuCount }: EndpointSpec,
  driver: string,
  places: readonly Pick<Place, "free" | "drivers">[],
): PlacementRequest["compute"] | null {
  const offered = rentableGpus(catalog, gpuTypeIds);
  const some = places.some(
    ({ drivers, free }) =>
      drivers.includes(driver) && free.gpus.some(({ typeId }) => offered.includes(typeId)),
  );
  if (gpuTypeIds.length === 0 && !some) return null;
  const { vcpus, memoryMb } = PER_GPU;
  return {
    kind: "GPU",
    typeIds: gpuTypeIds,
    offered,
    byStock: false,
    count: gpuCount,
    vcpus: gpuCount * vcpus,
    memoryMb: gpuCount * memoryMb,
  };
}

/** The first requested flavor that has this number of vCPUs, or else the first. */
export function flavorOf({ cpuFlavors }: Catalog, { cpuFlavorIds, vcpuCount }: EndpointSpec) {
  const ids = cpuFlavorIds.length > 0 ? cpuFlavorIds : cpuFlavors.map(({ id }) => id);
  const requested = ids.flatMap((id) => cpuFlavors.filter((flavor) => flavor.id === id));
  return requested.find(({ vcpuCounts }) => vcpuCounts.includes(vcpuCount)) ?? requested[0];
}

/** The flavor determines the memory per vCPU. */
function cpus(catalog: Catalog, spec: EndpointSpec) {
  const { vcpuCount } = spec;
  const memoryMb = cpuMemoryMb(flavorOf(catalog, spec), vcpuCount);
  return { kind: "CPU" as const, vcpus: vcpuCount, memoryMb };
}
