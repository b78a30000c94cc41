// The availability of hardware types for a query of the catalog.

import type { CpuQuery, GpuQuery, GpuType } from "../../../contract/rest-v2/catalog/catalog.ts";
import type { Catalog, CpuFlavor, DataCenter } from "../../../domain/catalog/catalog.ts";
import { cpuStockOf, type StockLevel, stockOf } from "../../../domain/catalog/stock.ts";
import { Fault } from "../../../domain/fault.ts";
import { gpuRequest } from "../../../domain/placement/gpu-request.ts";
import type { PlacementRequest } from "../../../domain/placement/request.ts";
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
  { shelf }: Capacity,
  typeId: string,
  query: GpuQuery,
): Pick<GpuType, "availability" | "dataCenters" | "cudaVersions"> {
  const request = requestFor(catalog, query);
  const level = (more: Partial<PlacementRequest> = {}) =>
    levelOf(stockOf(shelf, typeId, { ...request, ...more }).level);
  return {
    availability: level(),
    dataCenters: centersIn(catalog, query.countryCodes).map(({ id, location }) => {
      return { id, name: location, availability: level({ dataCenterIds: [id] }) };
    }),
    cudaVersions: catalog.cudaVersions.map((version) => {
      return { version, available: level({ cudaVersions: [version] }) !== "NONE" };
    }),
  };
}

function centersIn({ dataCenters }: Catalog, countryCodes: string[] | undefined) {
  return dataCenters.filter(({ countryCode }) => countryCodes?.includes(countryCode) ?? true);
}

function requestFor(catalog: Catalog, query: GpuQuery): PlacementRequest {
  const { count = 1, cloud = "SECURE", countryCodes = [], cudaVersions = [] } = query;
  const { minCudaVersion } = query;
  return {
    ...gpuRequest(count),
    cloudType: cloud,
    countryCodes,
    cudaVersions:
      minCudaVersion === undefined ? cudaVersions : versionsFrom(catalog, minCudaVersion),
  };
}

/** The versions of the catalog from a minimum on, compared part by part. */
function versionsFrom({ cudaVersions }: Catalog, minimum: string): string[] {
  const partsOf = (version: string) => version.split(".").map(Number);
  const [major = 0, minor = 0] = partsOf(minimum);
  const enough = cudaVersions.filter((version) => {
    const [ownMajor = 0, ownMinor = 0] = partsOf(version);
    return ownMajor > major || (ownMajor === major && ownMinor >= minor);
  });
  // An empty list would match any version.
  return enough.length > 0 ? enough : [minimum];
}

/** Of the smallest size unless the query names one. */
export function cpuAvailability(
  catalog: Catalog,
  { places }: Capacity,
  flavor: CpuFlavor,
  { product = [], vcpuCount = flavor.vcpuCounts[0] ?? 2 }: CpuQuery,
) {
  const isCpuOffered =
    flavor.vcpuCounts.includes(vcpuCount) && (product.includes("POD") || flavor.serverless);
  const memoryMb = vcpuCount * flavor.ramGbPerVcpu * 1_024;
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
        const memoryMb = vcpus * flavor.ramGbPerVcpu * 1_024;
        const level = cpuStockOf(capacity.places, { vcpus, memoryMb, dataCenterIds: [id] });
        return { id: flavor.id, name: flavor.displayName, availability: levelOf(level) };
      }),
  };
}
