// The availability of hardware types for a query of the catalog.

import type { CpuQuery, GpuQuery, GpuType } from "../../../contract/rest-v2/catalog/catalog.ts";
import type { Catalog, CpuFlavor, DataCenter } from "../../../domain/catalog/catalog.ts";
import { cpuMemoryMb } from "../../../domain/catalog/cpu-instance.ts";
import { ANY_CUDA } from "../../../domain/catalog/cuda-version.ts";
import { Fault } from "../../../domain/fault.ts";
import { gpuRequest } from "../../../domain/placement/gpu-request.ts";
import type { PlacementRequest } from "../../../domain/placement/request.ts";
import {
  cpuStockOf,
  type StockLevel,
  stockOf,
  versionsIn,
} from "../../../domain/placement/stock.ts";
import type { Capacity } from "../../../flows/catalog/capacity.ts";

type Level = NonNullable<GpuType["availability"]>;

const levels: Record<StockLevel, Level> = { High: "HIGH", Medium: "MEDIUM", Low: "LOW" };
const levelOf = (level: StockLevel | null): Level => (level === null ? "NONE" : levels[level]);

const refuse = (detail: string): never => {
  throw new Fault("invalid_body", { detail });
};

/** Filters and products are for availability only, which needs them. */
export function requireConsistent({ include, product, ...filters }: GpuQuery | CpuQuery): void {
  const [filter] = Object.keys(filters);
  if (!include) {
    const lone = product ? "product" : filter;
    if (lone) refuse(`"${lone}" needs "include=AVAILABILITY".`);
    return;
  }
  if (!product) refuse('"include=AVAILABILITY" needs "product".');
  if ("cudaVersions" in filters && "minCudaVersion" in filters) {
    refuse('Send only one of "cudaVersions" and "minCudaVersion".');
  }
}

export function gpuAvailability(
  catalog: Catalog,
  { shelf, places }: Capacity,
  typeId: string,
  query: GpuQuery,
): Pick<GpuType, "availability" | "dataCenters" | "cudaVersions"> {
  const request = requestFor(query);
  const level = (more: Partial<PlacementRequest> = {}) =>
    levelOf(stockOf(shelf, typeId, { ...request, ...more }).level);
  return {
    availability: level(),
    dataCenters: centersIn(catalog, query.countryCodes).map(({ id, location }) => {
      return { id, name: location, availability: level({ dataCenterIds: [id] }) };
    }),
    cudaVersions: versionsIn(catalog, places).map((version) => {
      const cuda = { ...ANY_CUDA, allowed: [version] };
      return { version, available: level({ cuda }) !== "NONE" };
    }),
  };
}

function centersIn({ dataCenters }: Catalog, countryCodes: string[] | undefined) {
  return dataCenters.filter(({ countryCode }) => countryCodes?.includes(countryCode) ?? true);
}

function requestFor(query: GpuQuery): PlacementRequest {
  const { count = 1, cloud = "SECURE", countryCodes = [], cudaVersions = [] } = query;
  const { minCudaVersion } = query;
  return {
    ...gpuRequest(count),
    cloudType: cloud,
    countryCodes,
    cuda: { allowed: cudaVersions, minimum: minCudaVersion ?? null },
  };
}

/** The availability of the smallest size unless the query names one. */
export function cpuAvailability(
  catalog: Catalog,
  { places }: Capacity,
  flavor: CpuFlavor,
  { product = [], vcpuCount = flavor.vcpuCounts[0] ?? 2 }: CpuQuery,
) {
  const isCpuOffered =
    flavor.vcpuCounts.includes(vcpuCount) && (product.includes("POD") || flavor.serverless);
  const memoryMb = cpuMemoryMb(flavor, vcpuCount);
  const level = (dataCenterIds: string[]) =>
    isCpuOffered
      ? levelOf(cpuStockOf(places, { vcpus: vcpuCount, memoryMb, dataCenterIds }))
      : "NONE";
  return {
    availability: level([]),
    dataCenters: catalog.dataCenters.map(({ id, location }) => {
      return { id, name: location, availability: level([id]) };
    }),
  };
}

export function centerAvailability(catalog: Catalog, capacity: Capacity, { id }: DataCenter) {
  return {
    gpus: () =>
      catalog.gpuTypes.map(({ id: typeId, displayName }) => {
        const request = { ...gpuRequest(1), dataCenterIds: [id] };
        const { level } = stockOf(capacity.shelf, typeId, request);
        return { id: typeId, name: displayName, availability: levelOf(level) };
      }),
    cpus: () =>
      catalog.cpuFlavors.map((flavor) => {
        const vcpus = flavor.vcpuCounts[0] ?? 2;
        const memoryMb = cpuMemoryMb(flavor, vcpus);
        const level = cpuStockOf(capacity.places, { vcpus, memoryMb, dataCenterIds: [id] });
        return { id: flavor.id, name: flavor.displayName, availability: levelOf(level) };
      }),
  };
}
