// The catalog: GPU types, CPU flavors, data centers, CUDA versions and prices. It is passed as a
// value, because an operator may configure their own.

import { parseShareType } from "../gpu-share/share-name.ts";
import { parsePartType } from "./slice-name.ts";

/** Data centers, community machines, or both. */
export type CloudType = "SECURE" | "COMMUNITY" | "ALL";

export interface GpuType {
  id: string;
  displayName: string;
  manufacturer: string;
  memoryInGb: number;
  /** The pool by which serverless clients name the type; null if it is in no pool. */
  pool: string | null;
  prices: GpuPrices;
}

/** Micro-dollars per GPU-hour. */
export interface GpuPrices {
  secure: number;
  community: number;
  secureSpot: number;
  communitySpot: number;
  /** The price of a worker; if the file omits it, the secure price. */
  serverless: number;
  /** The price under a savings plan of this length; null if there is none. */
  threeMonth: number | null;
  sixMonth: number | null;
}

export interface CpuFlavor {
  id: string;
  displayName: string;
  vcpuCounts: readonly number[];
  ramGbPerVcpu: number;
  /** Micro-dollars per vCPU-hour. */
  pricePerVcpu: number;
  /** True if endpoints can request the flavor. */
  serverless: boolean;
}

export interface DataCenter {
  id: string;
  location: string;
  countryCode: string;
  region: string;
}

/** Micro-dollars per GB-month. */
export interface StoragePrices {
  containerDisk: number;
  /** The price of a Pod's volume while the Pod runs, and while it is stopped. */
  volumeRunning: number;
  volumeStopped: number;
  /** The price of a network volume's first 1,000 GB, and of the rest. */
  networkVolume: number;
  networkVolumeBeyond: number;
}

export interface Catalog {
  gpuTypes: readonly GpuType[];
  /** Types that have a name and a memory, and are not offered until they have a price. */
  namedTypes: readonly Omit<GpuType, "pool" | "prices">[];
  /** Other spellings of GPU types that clients send. */
  gpuTypeAliases: Readonly<Record<string, string>>;
  cpuFlavors: readonly CpuFlavor[];
  dataCenters: readonly DataCenter[];
  /** Newest first. */
  cudaVersions: readonly string[];
  storage: StoragePrices;
}

/** The catalog's spelling of a GPU type's id; an unknown id is returned unchanged. */
export function canonicalGpuType({ gpuTypeAliases }: Catalog, id: string): string {
  const spell = (name: string) =>
    Object.hasOwn(gpuTypeAliases, name) ? gpuTypeAliases[name]! : name;
  const part = spell(id) === id ? parsePartType(id) : null;
  return part ? part.of(spell(part.whole)) : spell(id);
}

export const hasGpuType = ({ gpuTypes }: Pick<Catalog, "gpuTypes">, id: string | null): boolean =>
  gpuTypes.some((type) => type.id === id);

/** Micro-dollars per GPU-hour; a request for any cloud pays the lower price. */
export function onDemandPrice({ prices }: GpuType, cloudType: CloudType): number {
  return priceIn(cloudType, prices.secure, prices.community);
}

/** The spot price, in micro-dollars per GPU-hour. */
export function spotPrice({ prices }: GpuType, cloudType: CloudType): number {
  return priceIn(cloudType, prices.secureSpot, prices.communitySpot);
}

function priceIn(cloudType: CloudType, secure: number, community: number): number {
  if (cloudType === "ALL") return Math.min(secure, community);
  return cloudType === "SECURE" ? secure : community;
}

/** What the operator should know of the real GPUs of a machine that the catalog does not have. */
export function unpricedGpuTexts(
  { gpuTypes }: Pick<Catalog, "gpuTypes">,
  gpus: readonly { gpuTypeId: string; virtual: boolean }[],
): string[] {
  const types = gpus.filter(({ virtual }) => !virtual).map(({ gpuTypeId }) => gpuTypeId);
  return types
    .filter((id) => !hasGpuType({ gpuTypes }, id))
    .map(
      (id) =>
        `its GPUs ${id} have no price and are not rented out; set one, which may be 0, on the page Prices or with: freehold prices set "${id}" --secure DOLLARS`,
    );
}

/** What left the catalog after it was requested; `what` is a plural noun. */
export const notOffered = (what: string): string => `the catalog does not offer ${what}`;

/** The GPUs that are asked for, if the catalog has none of their types; null if it has one, or any will do. */
export function unofferedGpus({ gpuTypes }: Catalog, typeIds: readonly string[]): string | null {
  if (typeIds.length === 0 || gpuTypes.some(({ id }) => typeIds.includes(id))) return null;
  return `GPUs of the type ${typeIds.join(" or ")}`;
}

/** Such as "CPUs of the flavor cpu3c or cpu3g". */
export const describeCpus = (flavorIds: readonly string[]): string =>
  flavorIds.length === 0 ? "CPUs" : `CPUs of the flavor ${flavorIds.join(" or ")}`;

export const idsOf = (things: readonly { id: string }[]): string[] => things.map(({ id }) => id);

/** The GPU types that a request may get which names these, or none: a share only by name, as nothing keeps programs on its card apart. */
export function rentableGpus(
  { gpuTypes }: Pick<Catalog, "gpuTypes">,
  named: readonly string[],
): string[] {
  return idsOf(gpuTypes).filter((id) => named.length > 0 || parseShareType(id) === null);
}

/** The flavors that workers of endpoints can use. */
export const workerFlavors = ({ cpuFlavors }: Pick<Catalog, "cpuFlavors">): CpuFlavor[] =>
  cpuFlavors.filter(({ serverless }) => serverless);

/** The values that requests can name, by list. */
export const catalogNames = (catalog: Catalog) => ({
  gpuTypes: idsOf(catalog.gpuTypes),
  cpuFlavors: idsOf(catalog.cpuFlavors),
  workerFlavors: idsOf(workerFlavors(catalog)),
  dataCenters: idsOf(catalog.dataCenters),
  cudaVersions: catalog.cudaVersions,
});
