// The compute that a Pod needs, its placement request, and its cost. Pure.

import { MB_PER_GB } from "../../base/units.ts";
import {
  type Catalog,
  type CpuFlavor,
  describeCpus,
  notOffered,
  onDemandPrice,
  rentableGpus,
  spotPrice,
  unofferedGpus,
} from "../catalog/catalog.ts";
import { cpuMemoryMb } from "../catalog/cpu-instance.ts";
import { ANY_CUDA } from "../catalog/cuda-version.ts";
import type { NetworkVolume } from "../network-volume/network-volume.ts";
import type { Placed } from "../placement/decide.ts";
import type { PlacementRequest } from "../placement/request.ts";
import type { PodSpec } from "./spec.ts";

export interface Compute {
  vcpus: number;
  memoryMb: number;
  flavor: CpuFlavor | null;
}

/** A CPU Pod gets the first of its flavors that offers its number of vCPUs; no flavor if the catalog has none of them. */
export function computeOf(catalog: Catalog, spec: PodSpec): Compute {
  if (spec.computeType === "GPU") {
    const { gpuCount, minVCPUPerGPU, minRAMPerGPU } = spec;
    const memoryMb = gpuCount * minRAMPerGPU * MB_PER_GB;
    return { vcpus: gpuCount * minVCPUPerGPU, memoryMb, flavor: null };
  }
  const flavor = flavorsOf(catalog, spec)[0] ?? null;
  return { vcpus: spec.vcpuCount, memoryMb: cpuMemoryMb(flavor, spec.vcpuCount), flavor };
}

function flavorsOf({ cpuFlavors }: Catalog, { cpuFlavorIds, vcpuCount }: PodSpec): CpuFlavor[] {
  const ids = cpuFlavorIds.length > 0 ? cpuFlavorIds : cpuFlavors.map(({ id }) => id);
  return ids
    .flatMap((id) => cpuFlavors.filter((flavor) => flavor.id === id))
    .filter(({ vcpuCounts }) => vcpuCounts.includes(vcpuCount));
}

/** What it asks for of an earlier catalog and cannot get any more; null if it can be placed. */
export function unofferedOf(catalog: Catalog, spec: PodSpec): string | null {
  const { computeType, gpuTypeIds, cpuFlavorIds, vcpuCount } = spec;
  if (computeType === "GPU") return unofferedGpus(catalog, gpuTypeIds);
  if (flavorsOf(catalog, spec).length > 0) return null;
  return `${describeCpus(cpuFlavorIds)} with ${vcpuCount} vCPUs`;
}

/** `volume` is the network volume that the Pod mounts. */
export function requestOf(
  catalog: Catalog,
  spec: PodSpec,
  driver: string,
  volume: NetworkVolume | null,
): PlacementRequest {
  const { vcpus, memoryMb } = computeOf(catalog, spec);
  const unoffered = unofferedOf(catalog, spec);
  return {
    unoffered: unoffered && notOffered(unoffered),
    compute:
      spec.computeType === "CPU"
        ? { kind: "CPU", vcpus, memoryMb }
        : {
            kind: "GPU",
            typeIds: affordable(catalog, spec),
            offered: rentableGpus(catalog, spec.gpuTypeIds),
            byStock: spec.gpuTypePriority === "availability",
            count: spec.gpuCount,
            vcpus,
            memoryMb,
          },
    driver,
    mountsVolume: spec.networkVolumeId !== null,
    newVolumeGb: diskToReserve(volume),
    diskGb: spec.containerDiskInGb + spec.volumeInGb + diskToReserve(volume),
    volume: volume?.machine ? { id: volume.id, machine: volume.machine } : null,
    cloudType: spec.cloudType,
    dataCenterIds: volume ? [volume.dataCenterId] : spec.dataCenterIds,
    dataCentersByStock: spec.dataCenterPriority === "availability",
    countryCodes: spec.countryCodes,
    cuda:
      spec.computeType === "CPU"
        ? ANY_CUDA
        : { allowed: spec.allowedCudaVersions, minimum: spec.minCudaVersion },
    minDownloadMbps: spec.minDownloadMbps,
    minUploadMbps: spec.minUploadMbps,
    minDiskMBps: spec.minDiskBandwidthMBps,
    supportPublicIp: spec.supportPublicIp,
    spot: spec.interruptible,
  };
}

/** A network volume with data already occupies its disk on its machine. */
export function diskToReserve(volume: NetworkVolume | null): number {
  return volume !== null && volume.machine === null ? volume.size : 0;
}

/** GPU types whose spot price does not exceed the bid, if there is one. */
function affordable(catalog: Catalog, spec: PodSpec): string[] {
  const { interruptible, bidPerGpu, gpuTypeIds } = spec;
  if (!interruptible || bidPerGpu === null) return gpuTypeIds;
  const ids = gpuTypeIds.length > 0 ? gpuTypeIds : rentableGpus(catalog, []);
  return ids.filter((id) => pricePerGpu(catalog, spec, id) <= bidPerGpu);
}

/** The lowest spot price among the requested GPU types: a lower bid never gets a machine. */
export function lowestBid(catalog: Catalog, spec: PodSpec): number {
  const { gpuTypeIds } = spec;
  const ids = gpuTypeIds.length > 0 ? gpuTypeIds : rentableGpus(catalog, []);
  return Math.min(...ids.map((id) => pricePerGpu(catalog, spec, id)));
}

/** Micro-dollars per hour. */
export function costOf(catalog: Catalog, spec: PodSpec, placed: Placed): number {
  return costOn(catalog, spec, placed.gpuTypeId, placed.gpuIndices.length);
}

/** The compute cost on any machine, for a number of GPUs of a type; 0 for a flavor that is not in the catalog. */
export function costOn(
  catalog: Catalog,
  spec: PodSpec,
  gpuTypeId: string | null,
  gpuCount: number,
): number {
  const { flavor, vcpus } = computeOf(catalog, spec);
  if (spec.computeType === "CPU") return vcpus * (flavor?.pricePerVcpu ?? 0);
  return gpuCount * pricePerGpu(catalog, spec, gpuTypeId);
}

/** Micro-dollars per hour; 0 for a type that is not in the catalog, which no Pod gets. */
function pricePerGpu({ gpuTypes }: Catalog, spec: PodSpec, typeId: string | null): number {
  const type = gpuTypes.find(({ id }) => id === typeId);
  if (!type) return 0;
  return spec.interruptible ? spotPrice(type, spec.cloudType) : onDemandPrice(type, spec.cloudType);
}
