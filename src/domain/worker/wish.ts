// What a worker asks of the machine it is to run on. Pure.

import type { Catalog } from "../catalog/catalog.ts";
import type { EndpointSpec } from "../endpoint/endpoint.ts";
import type { Place } from "../placement/place.ts";
import { cudaVersionsOf, type PlacementWish } from "../placement/wish.ts";

/** As much comes with each GPU at least. */
const PER_GPU = { vcpus: 2, memoryMb: 8_192 };
const MB_PER_GB = 1_024;

/**
 * Null where any machine with the driver will do: processes share all that a machine has, and who
 * names no type of GPU does without one where no machine has any.
 */
export function workerWish(
  catalog: Catalog,
  spec: EndpointSpec,
  driver: string,
  places: readonly Pick<Place, "inventory" | "free" | "drivers">[],
): PlacementWish | null {
  if (driver === "process") return null;
  const compute = spec.computeType === "GPU" ? gpus(spec, driver, places) : cpus(catalog, spec);
  return (
    compute && {
      compute,
      driver,
      diskGb: 0,
      volume: null,
      cloudType: "ALL",
      dataCenterIds: spec.dataCenterIds,
      dataCentersByStock: true,
      countryCodes: [],
      cudaVersions: cudaVersionsOf(catalog, spec),
      minDownloadMbps: null,
      minUploadMbps: null,
      minDiskMBps: null,
      supportPublicIp: null,
      spot: false,
    }
  );
}

function gpus(
  { gpuTypeIds, gpuCount }: EndpointSpec,
  driver: string,
  places: readonly Pick<Place, "free" | "drivers">[],
): PlacementWish["compute"] | null {
  const some = places.some(({ drivers, free }) => drivers.includes(driver) && free.gpus.length > 0);
  if (gpuTypeIds.length === 0 && !some) return null;
  const { vcpus, memoryMb } = PER_GPU;
  return {
    kind: "GPU",
    typeIds: gpuTypeIds,
    byStock: false,
    count: gpuCount,
    vcpus: gpuCount * vcpus,
    memoryMb: gpuCount * memoryMb,
  };
}

/** The first flavor that comes with as many CPUs, or else the first. */
export function flavorOf({ cpuFlavors }: Catalog, { cpuFlavorIds, vcpuCount }: EndpointSpec) {
  const ids = cpuFlavorIds.length > 0 ? cpuFlavorIds : cpuFlavors.map(({ id }) => id);
  const asked = ids.flatMap((id) => cpuFlavors.filter((flavor) => flavor.id === id));
  return asked.find(({ vcpuCounts }) => vcpuCounts.includes(vcpuCount)) ?? asked[0];
}

/** The flavor says how much memory belongs to them. */
function cpus(catalog: Catalog, spec: EndpointSpec) {
  const { vcpuCount } = spec;
  const flavor = flavorOf(catalog, spec);
  const memoryMb = vcpuCount * (flavor?.ramGbPerVcpu ?? 2) * MB_PER_GB;
  return { kind: "CPU" as const, vcpus: vcpuCount, memoryMb };
}
