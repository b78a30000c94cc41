// What a Pod is made of.

import type { CloudType } from "../catalog/catalog.ts";
import type { EndCause } from "../worker/end-cause.ts";
import type { PodState } from "./moves.ts";

/** What was asked for; kept as it was, so that a later start asks for the same. */
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
  /** Takes the place of its own volume; the mount path is the same. */
  networkVolumeId: string | null;
  computeType: "GPU" | "CPU";
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
  /** True for a spot Pod: cheaper, and gives way to what runs on demand. */
  interruptible: boolean;
  /** The most it pays per GPU and hour, in micro-dollars, where it is interruptible. */
  bidPerGpu: number | null;
  /** Which kind of driver must run it; null leaves that to the service. Our extension. */
  driver: "docker" | "process" | "fake" | null;
}

export type Priority = "availability" | "custom";

/** The event that led to what is wanted now. */
export type PodCause =
  | "created"
  | "started"
  | "restarted"
  | "reset"
  | "stopped"
  | "stop_after"
  | "no_credits"
  | "account_disabled"
  | "budget_spent"
  | "finished"
  | "gave_up"
  | "evicted"
  | "disk_full"
  | "deleted"
  | "terminate_after";

/** What was seen of its container. */
export type ContainerState = "none" | "starting" | "running" | "ended";

export interface Pod {
  id: string;
  accountId: string;
  /** Of the API key it was made with; empty where there is none. */
  keyId: string;
  name: string;
  spec: PodSpec;
  state: PodState;
  cause: PodCause;
  reason: string | null;
  changedAt: number;
  locked: boolean;
  machine: string;
  driver: string;
  gpuTypeId: string | null;
  /** Indices of its GPUs; also those it had, once they were let go. */
  gpus: number[];
  virtual: boolean;
  cpuFlavorId: string | null;
  vcpus: number;
  memoryMb: number;
  /** Micro-dollars per hour while it runs, its disks apart. */
  cost: number;
  /** Micro-dollars per hour with its disks. */
  runningRate: number;
  /** Micro-dollars per hour of its volume alone, while it does not run. */
  stoppedRate: number;
  /** Of its GPUs, those that a savings plan pays for while it is wanted to run. */
  coveredGpus: number;
  round: number;
  startedRound: number;
  /** The GPUs that its last container was started with. */
  startedGpus: number[];
  observed: ContainerState;
  startAt: number;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  exitCode: number | null;
  signal: string | null;
  oom: boolean;
  /** Instants of ends that nobody asked for. */
  ends: number[];
  failedStarts: number;
  failingSince: number | null;
  trouble: string | null;
  /** Why, where that is certain. */
  troubleCause: EndCause | null;
  publicIp: string | null;
  /** From the container's port to the public one. */
  portMappings: Record<string, number>;
  stopAfter: number | null;
  terminateAfter: number | null;
}
