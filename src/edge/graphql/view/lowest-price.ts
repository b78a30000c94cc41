// The best offer of a GPU type for a request: its price and stock.

import { MB_PER_GB } from "../../../base/units.ts";
import {
  type Catalog,
  type CloudType,
  type GpuType,
  onDemandPrice,
  spotPrice,
} from "../../../domain/catalog/catalog.ts";
import { ANY_CUDA } from "../../../domain/catalog/cuda-version.ts";
import {
  gpuRequest,
  MEMORY_GB_PER_GPU,
  VCPUS_PER_GPU,
} from "../../../domain/placement/gpu-request.ts";
import type { PlacementRequest } from "../../../domain/placement/request.ts";
import { type Stock, stockOf, versionsIn } from "../../../domain/placement/stock.ts";
import type { Capacity } from "../../../flows/catalog/capacity.ts";
import { dollars } from "../../management/billing/dollars.ts";
import { positiveOrNull, presentFields, presentItems, splitList } from "../schema/input.ts";
import type { GpuLowestPriceInput } from "../schema/types.generated.ts";

export function lowestPrice(
  catalog: Catalog,
  type: GpuType,
  capacity: Capacity,
  input: GpuLowestPriceInput | null | undefined,
) {
  const request = requestOf(input);
  const { level, counts, best } = stockOf(capacity.shelf, type.id, request);
  const { vcpus, memoryMb } = request.compute;
  const count = countOf(input);
  const inventory = best?.inventory;
  const totalCount = capacity.totalGpus.get(type.id) ?? 0;
  const rentedCount = totalCount - freeCount(capacity, type.id);
  const maxUnreservedGpuCount = counts.at(-1) ?? 0;
  return {
    gpuName: type.displayName,
    gpuTypeId: type.id,
    minimumBidPrice: dollars(count * spotPrice(type, request.cloudType)),
    uninterruptablePrice: dollars(count * onDemandPrice(type, request.cloudType)),
    stockStatus: level,
    availableGpuCounts: counts,
    maxGpuCount: capacity.maxGpus.get(type.id) ?? 0,
    maxUnreservedGpuCount,
    totalCount,
    rentedCount,
    rentalPercentage: totalCount === 0 ? null : (100 * rentedCount) / totalCount,
    compliance: [],
    gpuTypeCudaVersions: cudaStock(catalog, type, capacity, input),
    ...(inventory && {
      minVcpu: vcpus,
      minMemory: memoryMb / MB_PER_GB,
      countryCode: inventory.countryCode,
      supportPublicIp: inventory.supportPublicIp,
      minDownload: inventory.downloadMbps,
      minUpload: inventory.uploadMbps,
    }),
  };
}

function freeCount({ shelf }: Capacity, typeId: string): number {
  return (shelf.get(typeId) ?? []).reduce((sum, { gpus }) => sum + gpus.indices.length, 0);
}

export function stockOfType(
  typeId: string,
  { shelf }: Capacity,
  input: GpuLowestPriceInput | null | undefined,
): Stock {
  return stockOf(shelf, typeId, requestOf(input));
}

/** Computed only if the document asks for it: it searches once per version. */
function cudaStock(
  catalog: Catalog,
  { id }: GpuType,
  { shelf, places }: Capacity,
  input: GpuLowestPriceInput | null | undefined,
) {
  return () => {
    const request = requestOf(input);
    return versionsIn(catalog, places).map((cudaVersion) => {
      const cuda = { ...ANY_CUDA, allowed: [cudaVersion] };
      const { level } = stockOf(shelf, id, { ...request, cuda });
      return { cudaVersion, availability: level ? "AVAILABLE" : "UNAVAILABLE" };
    });
  };
}

function countOf(input: GpuLowestPriceInput | null | undefined): number {
  return Math.max(1, input?.gpuCount ?? 1);
}

function requestOf(input: GpuLowestPriceInput | null | undefined): PlacementRequest {
  const offer = presentFields(input);
  const count = countOf(input);
  const memoryInGb = Math.max(count * MEMORY_GB_PER_GPU, offer.minMemoryInGb ?? 0);
  const base = gpuRequest(count);
  return {
    ...base,
    compute: {
      ...base.compute,
      vcpus: Math.max(count * VCPUS_PER_GPU, offer.minVcpuCount ?? 0),
      memoryMb: memoryInGb * MB_PER_GB,
    },
    diskGb: Math.max(0, offer.totalDisk ?? 0, offer.minDisk ?? 0),
    cloudType: cloudOf(offer.secureCloud),
    dataCenterIds: splitList(offer.dataCenterId).map((id) => id.toUpperCase()),
    countryCodes: splitList(offer.countryCode).map((code) => code.toUpperCase()),
    cuda: {
      allowed: presentItems([...(offer.allowedCudaVersions ?? []), offer.cudaVersion]),
      minimum: offer.minCudaVersion ?? null,
    },
    minDownloadMbps: positiveOrNull(offer.minDownload),
    minUploadMbps: positiveOrNull(offer.minUpload),
    supportPublicIp: offer.supportPublicIp ?? null,
  };
}

function cloudOf(secureCloud: boolean | undefined): CloudType {
  if (secureCloud === undefined) return "ALL";
  return secureCloud ? "SECURE" : "COMMUNITY";
}
