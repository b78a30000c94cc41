// The settings of a Pod, and their defaults.

import type { CloudType } from "../catalog/catalog.ts";
import type { IdleRule } from "../usage/idle.ts";
import type { MaxLifetime } from "../usage/lifetime.ts";

/** Complete, with defaults filled in. A later start asks a machine for the same. */
export interface PodSpec {
  templateId: string | null;
  imageName: string;
  dockerEntrypoint: string[];
  dockerStartCmd: string[];
  env: Record<string, string>;
  ports: string[];
  containerRegistryAuthId: string | null;
  containerDiskInGb: number;
  volumeInGb: number;
  volumeMountPath: string;
  /** Replaces the Pod's own volume, at the same mount path. */
  networkVolumeId: string | null;
  computeType: "GPU" | "CPU";
  /** True for the Pod of a sandbox, which lists of Pods leave out. */
  sandbox: boolean;
  cloudType: CloudType;
  gpuCount: number;
  gpuTypeIds: string[];
  gpuTypePriority: Priority;
  minRAMPerGPU: number;
  minVCPUPerGPU: number;
  cpuFlavorIds: string[];
  cpuFlavorPriority: Priority;
  vcpuCount: number;
  dataCenterIds: string[];
  dataCenterPriority: Priority;
  countryCodes: string[];
  allowedCudaVersions: string[];
  minCudaVersion: string | null;
  minDownloadMbps: number | null;
  minUploadMbps: number | null;
  minDiskBandwidthMBps: number | null;
  supportPublicIp: boolean | null;
  /** True for a spot Pod: it is cheaper, and on-demand Pods and workers evict it. */
  interruptible: boolean;
  /** The most a spot Pod pays per GPU-hour, in micro-dollars. */
  bidPerGpu: number | null;
  /** The rule of its template when it was created; null if there is none. */
  templateIdle: IdleRule | null;
  /** The maximum of its template when it was created; null if there is none. */
  templateLifetime: MaxLifetime | null;
  /**
   * The kind of driver that must run it; null lets the service choose. An extension of Freehold.
   */
  driver: "docker" | "kubernetes" | "process" | "simulated" | null;
}

type Priority = "availability" | "custom";

export const defaultSpec: PodSpec = {
  templateId: null,
  imageName: "",
  dockerEntrypoint: [],
  dockerStartCmd: [],
  env: {},
  ports: ["8888/http", "22/tcp"],
  containerRegistryAuthId: null,
  containerDiskInGb: 50,
  volumeInGb: 20,
  volumeMountPath: "/workspace",
  networkVolumeId: null,
  computeType: "GPU",
  sandbox: false,
  cloudType: "SECURE",
  gpuCount: 1,
  gpuTypeIds: [],
  gpuTypePriority: "availability",
  minRAMPerGPU: 8,
  minVCPUPerGPU: 2,
  cpuFlavorIds: [],
  cpuFlavorPriority: "availability",
  vcpuCount: 2,
  dataCenterIds: [],
  dataCenterPriority: "availability",
  countryCodes: [],
  allowedCudaVersions: [],
  minCudaVersion: null,
  minDownloadMbps: null,
  minUploadMbps: null,
  minDiskBandwidthMBps: null,
  supportPublicIp: null,
  interruptible: false,
  bidPerGpu: null,
  templateIdle: null,
  templateLifetime: null,
  driver: null,
};
