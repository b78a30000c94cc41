// What there is to rent: GPU types, CPU flavors, data centers, CUDA versions and their prices. A
// value that is handed on, for whoever runs the service may have a catalog of his own.

/** Data centers, machines of the community, or whichever there are. */
export type CloudType = "SECURE" | "COMMUNITY" | "ALL";

export interface GpuType {
  id: string;
  displayName: string;
  manufacturer: string;
  memoryInGb: number;
  /** The pool that serverless clients name it by; null where it stands for itself. */
  pool: string | null;
  prices: GpuPrices;
}

/** Micro-dollars per GPU and hour. */
export interface GpuPrices {
  secure: number;
  community: number;
  secureSpot: number;
  communitySpot: number;
  /** Of a worker; the file may leave it out, then it is the secure one. */
  serverless: number;
  /** Of one that is paid for in advance; null where that is not offered. */
  threeMonth: number | null;
  sixMonth: number | null;
}

export interface CpuFlavor {
  id: string;
  displayName: string;
  vcpuCounts: readonly number[];
  ramGbPerVcpu: number;
  /** Micro-dollars per virtual CPU and hour. */
  pricePerVcpu: number;
  /** Whether endpoints can ask for it. */
  serverless: boolean;
}

export interface DataCenter {
  id: string;
  location: string;
  countryCode: string;
  region: string;
}

/** Micro-dollars per gigabyte and month. */
export interface StoragePrices {
  containerDisk: number;
  /** Of a Pod's volume while the Pod runs, and while it does not. */
  volumeRunning: number;
  volumeStopped: number;
  /** Of a network volume's first 1,000 GB, and of those beyond. */
  networkVolume: number;
  networkVolumeBeyond: number;
}

export interface Catalog {
  gpuTypes: readonly GpuType[];
  /** Other spellings of GPU types that clients send. */
  gpuTypeAliases: Readonly<Record<string, string>>;
  cpuFlavors: readonly CpuFlavor[];
  dataCenters: readonly DataCenter[];
  /** The newest first. */
  cudaVersions: readonly string[];
  storage: StoragePrices;
}

/** The catalog's own spelling of a GPU type's id; what it does not hold stays as it came. */
export function canonicalGpuType({ gpuTypeAliases }: Catalog, id: string): string {
  return Object.hasOwn(gpuTypeAliases, id) ? gpuTypeAliases[id]! : id;
}

/** Micro-dollars per GPU and hour; who takes any cloud pays the lower price. */
export function onDemandPrice({ prices }: GpuType, cloudType: CloudType): number {
  return priceIn(cloudType, prices.secure, prices.community);
}

/** The same for what can be taken away. */
export function spotPrice({ prices }: GpuType, cloudType: CloudType): number {
  return priceIn(cloudType, prices.secureSpot, prices.communitySpot);
}

function priceIn(cloudType: CloudType, secure: number, community: number): number {
  if (cloudType === "ALL") return Math.min(secure, community);
  return cloudType === "SECURE" ? secure : community;
}

/** The id of an instance as clients write it: flavor, virtual CPUs, memory in GB. */
export function cpuInstanceId({ cpuFlavors }: Catalog, flavorId: string, vcpus: number): string {
  const flavor = cpuFlavors.find(({ id }) => id === flavorId);
  return `${flavorId}-${vcpus}-${vcpus * (flavor?.ramGbPerVcpu ?? 2)}`;
}

export const idsOf = (things: readonly { id: string }[]): string[] => things.map(({ id }) => id);
