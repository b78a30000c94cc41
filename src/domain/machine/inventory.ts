// The inventory of a machine: its detected hardware, its operator's declarations, and simulated GPUs,
// which make GPU Pods work without a real GPU. Pure.

import { MB_PER_GB } from "../../base/units.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { canonicalGpuType } from "../catalog/catalog.ts";
import type { FabricAddress } from "../fabric/fabric.ts";
import type { GpuFault, GpuNotice } from "../gpu/gpu-health.ts";
import type { GpuSlices } from "../gpu/gpu-slices.ts";
import type { GpuLinks } from "../gpu/nvlink/nvlinks.ts";
import type { SharedGpus } from "../gpu-share/gpu-share.ts";
import type { ClusterState } from "./cluster-probe.ts";
import type { GpuAddresses } from "./gpu-addresses.ts";
import type { GpuNodes } from "./gpu-nodes.ts";
import type { GpuNumbers } from "./gpu-numbers.ts";
import type { NodeVolumes } from "./volume-home.ts";

/** The operating system, the engine and the CPU of a machine; null for what could not be detected. */
export interface HostSystem {
  /** Absent if it was not detected. */
  hostName?: string;
  os: string | null;
  kernelVersion: string | null;
  engineVersion: string | null;
  cpu: { model: string; cores: number; threadsPerCore: number } | null;
}

/** The detected hardware. */
export interface Hardware {
  system?: HostSystem;
  vcpus: number;
  memoryMb: number;
  diskGb: number;
  gpus: DetectedGpu[];
  /** The version of the GPU driver; null without GPUs. */
  gpuDriver: string | null;
  cudaVersion: string | null;
  /** Why GPUs of it cannot be read; null or absent if all can, or if it has no GPU driver. */
  gpuTrouble?: string | null;
  /** The GPUs among `gpus` that new workloads do not get. */
  gpuFaults?: GpuFault[];
  gpuNotices?: GpuNotice[];
  /** The MIG devices among `gpus`, in place of which their GPUs are not there. */
  gpuSlices?: GpuSlices;
  /** Absent if its GPUs were declared. */
  gpuNumbers?: GpuNumbers;
  /** Absent if its GPUs were declared. */
  gpuAddresses?: GpuAddresses;
  /** Absent if its GPUs were declared. */
  gpuNodes?: GpuNodes;
  gpuLinks?: GpuLinks;
}

/** The GPUs of the detected hardware. */
export type GpuHardware = Required<Omit<Hardware, "system" | "vcpus" | "memoryMb" | "diskGb">>;

interface DetectedGpu {
  index: number;
  /** Absent if it was declared. */
  uuid?: string;
  /** The name as the GPU driver reports it. */
  name: string;
  /** 0 if it shares the machine's memory. */
  memoryMb: number;
}

/** Attributes that cannot be detected, and overrides of detected ones. */
export interface Declared {
  dataCenterId?: string;
  countryCode?: string;
  location?: string;
  cloudType?: "SECURE" | "COMMUNITY";
  cudaVersion?: string;
  downloadMbps?: number;
  uploadMbps?: number;
  diskMBps?: number;
  supportPublicIp?: boolean;
  vcpus?: number;
  memoryInGb?: number;
  diskInGb?: number;
  fabric?: FabricAddress;
}

/** GPUs of one type. */
interface GpuGroup {
  gpuTypeId: string;
  memoryMb: number;
  /** True if the GPUs are simulated, with the CPUs and memory that they come with. */
  virtual: boolean;
  /** The numbers by which placement assigns them. */
  indices: number[];
}

/** What the cluster of a node counts for a container until it is gone. */
export interface Leaving {
  vcpus: number;
  memoryMb: number;
  diskGb: number;
  /** How many, since a cluster does not say which. */
  gpus: number;
}

/** A model in a machine's cache, or on its way there. */
export interface MachineModel {
  /** owner/name */
  model: string;
  commit: string;
  /** 0 until its size is known. */
  bytes: number;
  /** Fewer while it is being downloaded. */
  downloadedBytes: number;
}

/**
 * The resources and attributes of a machine. A null attribute was not declared and matches any
 * request.
 */
export interface Inventory {
  vcpus: number;
  /** How many times its vCPUs may be given to workloads; absent for once. */
  cpuOvercommit?: number;
  memoryMb: number;
  diskGb: number;
  gpus: GpuGroup[];
  gpuDriver: string | null;
  cudaVersion: string | null;
  dataCenterId: string | null;
  countryCode: string | null;
  location: string | null;
  cloudType: "SECURE" | "COMMUNITY" | null;
  downloadMbps: number | null;
  uploadMbps: number | null;
  diskMBps: number | null;
  supportPublicIp: boolean | null;
  /** Absent if the machine was never inspected. */
  system?: HostSystem;
  /**
   * Whether its engine enforces disk limits, or disk usage is only measured; null or absent if
   * unknown.
   */
  quota?: "enforced" | "measured" | null;
  /** The network between machines that it is declared to be part of; absent for none. */
  fabric?: FabricAddress;
  /** The cluster that it is a node of, as a remote, and the node's name; absent for other machines. */
  node?: {
    remote: string;
    name: string;
    networkVolumes?: NodeVolumes;
    /** Why its GPUs are not offered; absent if they are. */
    gpuNotice?: string;
    cluster?: ClusterState;
    /** What containers that have lost their place still take of it, by workload; absent for none. */
    leaving?: Record<string, Leaving>;
    /** The ids of the unhealthy GPUs that workloads have; absent for none. */
    unhealthyGpus?: Readonly<Record<string, readonly string[]>>;
  };
  /** Why GPUs of it cannot be read or used; absent if there is no trouble. */
  gpuTrouble?: string;
  /** The GPUs that new workloads do not get, and why; absent for none. */
  gpuFaults?: GpuFault[];
  /** What the operator should know of GPUs; absent for none. */
  gpuNotices?: GpuNotice[];
  /** The MIG devices that it offers in place of their GPUs; absent for none. */
  gpuSlices?: GpuSlices;
  /** How its shared GPUs are divided, also those that cannot be read now; absent for none. It is not stored with the rest. */
  gpuShares?: SharedGpus;
  /** The numbers of the GPUs that were ever read; absent for none. */
  gpuNumbers?: GpuNumbers;
  /** The addresses of the GPUs that were ever read; absent for none. */
  gpuAddresses?: GpuAddresses;
  /** The device nodes of GPUs that containers get by them; absent for none. */
  gpuNodes?: GpuNodes;
  gpuLinks?: GpuLinks;
  /** Why the container engine of a replica's own machine does not answer; absent if it does, or if there is none. */
  engineTrouble?: string;
  /** Why the kernel log, which has the errors of its GPUs, cannot be read; absent if it can. */
  kernelLogTrouble?: string;
  /** True if its CPUs, memory and disk are simulated, as everything on it but processes. */
  simulated?: true;
  /** The models in its cache; absent if it has no cache. */
  models?: MachineModel[];
  /** How far the clock of its engine is ahead of the service's, negative if it is behind; absent or 0 if it seems right. */
  clockSkewMs?: number;
  /** Why it takes nothing new by itself; absent or null if it is open. */
  closed?: string | null;
}

/** The vCPUs that workloads may hold together; a single one gets at most `vcpus`. */
export function placeableVcpus({
  vcpus,
  cpuOvercommit = 1,
}: Pick<Inventory, "vcpus" | "cpuOvercommit">): number {
  return Math.floor(vcpus * cpuOvercommit);
}

/** The inventory of a machine that no replica has observed. */
export const nothing: Inventory = {
  vcpus: 0,
  memoryMb: 0,
  diskGb: 0,
  gpus: [],
  gpuDriver: null,
  cudaVersion: null,
  dataCenterId: null,
  countryCode: null,
  location: null,
  cloudType: null,
  downloadMbps: null,
  uploadMbps: null,
  diskMBps: null,
  supportPublicIp: null,
};

/** The hardware of a simulated machine: enough for any test. */
export const SIMULATED_HARDWARE = {
  vcpus: 65_536,
  memoryMb: 262_144 * MB_PER_GB,
  diskGb: 4_194_304,
};

/** The number of simulated GPUs of each type. */
export type GpuCounts = Readonly<Record<string, number>>;

export function inventoryOf(
  catalog: Catalog,
  hardware: Hardware,
  declared: Declared,
  virtual: GpuCounts,
): Inventory {
  const center = catalog.dataCenters.find(({ id }) => id === declared.dataCenterId);
  return {
    vcpus: declared.vcpus ?? hardware.vcpus,
    memoryMb:
      declared.memoryInGb === undefined ? hardware.memoryMb : declared.memoryInGb * MB_PER_GB,
    diskGb: declared.diskInGb ?? hardware.diskGb,
    gpus: [...realGpus(catalog, hardware), ...simulatedGpus(catalog, hardware.gpus, virtual)],
    gpuDriver: hardware.gpuDriver,
    cudaVersion: declared.cudaVersion ?? hardware.cudaVersion,
    dataCenterId: declared.dataCenterId ?? null,
    countryCode: declared.countryCode ?? center?.countryCode ?? null,
    location: declared.location ?? center?.location ?? null,
    cloudType: declared.cloudType ?? null,
    downloadMbps: declared.downloadMbps ?? null,
    uploadMbps: declared.uploadMbps ?? null,
    diskMBps: declared.diskMBps ?? null,
    supportPublicIp: declared.supportPublicIp ?? null,
    ...(declared.fabric && { fabric: declared.fabric }),
    ...(hardware.system && { system: hardware.system }),
    ...(hardware.gpuTrouble && { gpuTrouble: hardware.gpuTrouble }),
    ...(hardware.gpuFaults?.length && { gpuFaults: hardware.gpuFaults }),
    ...(hardware.gpuNotices?.length && { gpuNotices: hardware.gpuNotices }),
    ...identitiesIn(hardware),
  };
}

function identitiesIn({ gpuSlices, gpuNumbers, gpuAddresses, gpuNodes, gpuLinks }: Hardware) {
  const all = { gpuSlices, gpuNumbers, gpuAddresses, gpuNodes, gpuLinks };
  const some = Object.entries(all).filter(([, each = {}]) => Object.keys(each).length > 0);
  return Object.fromEntries(some) as {
    [Name in keyof typeof all]?: NonNullable<(typeof all)[Name]>;
  };
}

function realGpus(catalog: Catalog, hardware: Hardware): GpuGroup[] {
  const groups = new Map<string, GpuGroup>();
  for (const { index, name, ...gpu } of hardware.gpus) {
    const gpuTypeId = canonicalGpuType(catalog, name);
    const isShared = gpu.memoryMb === 0 && gpu.uuid !== undefined;
    const memoryMb = isShared ? hardware.memoryMb : gpu.memoryMb;
    const group = groups.get(gpuTypeId) ?? { gpuTypeId, memoryMb, virtual: false, indices: [] };
    group.indices.push(index);
    groups.set(gpuTypeId, group);
  }
  return [...groups.values()];
}

/** Virtual indices lie beyond the indices of real GPUs, which may change between starts. */
const FIRST_VIRTUAL = 1_000;

function simulatedGpus(catalog: Catalog, gpus: DetectedGpu[], desired: GpuCounts): GpuGroup[] {
  const real = new Set(gpus.map(({ name }) => canonicalGpuType(catalog, name)));
  return catalog.gpuTypes.flatMap(({ id, memoryInGb }, n) => {
    const count = real.has(id) ? 0 : (desired[id] ?? 0);
    if (count === 0) return [];
    const first = FIRST_VIRTUAL * (n + 1);
    const indices = Array.from({ length: count }, (_, k) => first + k);
    return [{ gpuTypeId: id, memoryMb: memoryInGb * MB_PER_GB, virtual: true, indices }];
  });
}
