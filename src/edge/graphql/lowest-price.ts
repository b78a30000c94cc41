// The best offer of a GPU type for what somebody asks: what it costs, and whether it is free.

import {
  type Catalog,
  type CloudType,
  type GpuType,
  onDemandPrice,
  spotPrice,
} from "../../domain/catalog/catalog.ts";
import { type Stock, stockOf } from "../../domain/catalog/stock.ts";
import { cudaVersionsOf, type PlacementWish } from "../../domain/placement/wish.ts";
import type { Capacity } from "../../flows/catalog/capacity.ts";
import { dollars } from "../rest-v1/dollars.ts";
import { atLeast, given, parts } from "./given.ts";

export interface OfferInput {
  allowedCudaVersions?: (string | null)[] | null;
  compliance?: string[] | null;
  countryCode?: string | null;
  cudaVersion?: string | null;
  dataCenterId?: string | null;
  globalNetwork?: boolean | null;
  gpuCount?: number | null;
  minCudaVersion?: string | null;
  minDisk?: number | null;
  minDownload?: number | null;
  minMemoryInGb?: number | null;
  minUpload?: number | null;
  minVcpuCount?: number | null;
  secureCloud?: boolean | null;
  supportPublicIp?: boolean | null;
  totalDisk?: number | null;
}

/** What a Pod has for each GPU at least. */
const VCPUS = 2;
const MEMORY_GB = 8;

export function lowestPrice(
  catalog: Catalog,
  type: GpuType,
  capacity: Capacity,
  input: OfferInput | null | undefined,
) {
  const wish = wishOf(catalog, input);
  const { level, counts, best } = stockOf(capacity.shelf, type.id, wish);
  const { vcpus, memoryMb } = wish.compute;
  const count = countOf(input);
  const known = best?.inventory;
  const most = counts.at(-1) ?? 0;
  return {
    gpuName: type.displayName,
    gpuTypeId: type.id,
    minimumBidPrice: dollars(count * spotPrice(type, wish.cloudType)),
    uninterruptablePrice: dollars(count * onDemandPrice(type, wish.cloudType)),
    stockStatus: level,
    availableGpuCounts: counts,
    maxGpuCount: capacity.most.get(type.id) ?? 0,
    maxUnreservedGpuCount: most,
    compliance: [],
    gpuTypeCudaVersions: cudaStock(catalog, type, capacity, input),
    ...(known && {
      minVcpu: vcpus,
      minMemory: memoryMb / 1_024,
      countryCode: known.countryCode,
      supportPublicIp: known.supportPublicIp,
      minDownload: known.downloadMbps,
      minUpload: known.uploadMbps,
    }),
  };
}

export function stockOfType(
  catalog: Catalog,
  typeId: string,
  { shelf }: Capacity,
  input: OfferInput | null | undefined,
): Stock {
  return stockOf(shelf, typeId, wishOf(catalog, input));
}

/** Computed only where it is asked for: it looks once for every version. */
function cudaStock(
  catalog: Catalog,
  { id }: GpuType,
  { shelf }: Capacity,
  input: OfferInput | null | undefined,
) {
  return () => {
    const wish = wishOf(catalog, input);
    return catalog.cudaVersions.map((cudaVersion) => {
      const { level } = stockOf(shelf, id, { ...wish, cudaVersions: [cudaVersion] });
      return { cudaVersion, availability: level ? "AVAILABLE" : "UNAVAILABLE" };
    });
  };
}

function countOf(input: OfferInput | null | undefined): number {
  return Math.max(1, input?.gpuCount ?? 1);
}

function wishOf(catalog: Catalog, input: OfferInput | null | undefined): PlacementWish {
  const asked = given(input);
  const count = countOf(input);
  const memoryInGb = Math.max(count * MEMORY_GB, asked.minMemoryInGb ?? 0);
  return {
    compute: {
      kind: "GPU",
      typeIds: [],
      byStock: true,
      count,
      vcpus: Math.max(count * VCPUS, asked.minVcpuCount ?? 0),
      memoryMb: memoryInGb * 1_024,
    },
    driver: "",
    diskGb: Math.max(0, asked.totalDisk ?? 0, asked.minDisk ?? 0),
    volume: null,
    cloudType: cloudOf(asked.secureCloud),
    dataCenterIds: parts(asked.dataCenterId).map((id) => id.toUpperCase()),
    dataCentersByStock: true,
    countryCodes: parts(asked.countryCode).map((code) => code.toUpperCase()),
    cudaVersions: cudaVersions(catalog, asked),
    minDownloadMbps: atLeast(asked.minDownload),
    minUploadMbps: atLeast(asked.minUpload),
    minDiskMBps: null,
    supportPublicIp: asked.supportPublicIp ?? null,
    spot: false,
  };
}

function cloudOf(secureCloud: boolean | undefined): CloudType {
  if (secureCloud === undefined) return "ALL";
  return secureCloud ? "SECURE" : "COMMUNITY";
}

/** A least version that nobody has leaves none. */
function cudaVersions(
  catalog: Catalog,
  { allowedCudaVersions, cudaVersion, minCudaVersion: least }: ReturnType<typeof given<OfferInput>>,
): readonly string[] {
  const allowed = [...(allowedCudaVersions ?? []), cudaVersion].filter(
    (version): version is string => Boolean(version),
  );
  const minCudaVersion = least ?? null;
  const versions = cudaVersionsOf(catalog, { allowedCudaVersions: allowed, minCudaVersion });
  return minCudaVersion !== null && versions.length === 0 ? [NONE] : versions;
}

const NONE = "none";
