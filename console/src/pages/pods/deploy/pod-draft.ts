// The values of the deploy form, and the request body for them: only what differs from the defaults.

import type { Schema } from "../../../api/client.ts";
import { labelsBody } from "../../../components/form/label-rows.ts";
import { parseVariables, splitList } from "../../../components/form/text-values.ts";
import { instantOf } from "../../../time-zone.ts";
import { changedTerms, defaultTerms, type Terms } from "../terms.tsx";

export interface PodDraft extends Terms {
  compute: "GPU" | "CPU";
  /** In order of preference; empty for any. */
  gpuTypeIds: string[];
  gpuCount: number;
  cpuFlavorId: string;
  vcpuCount: number;
  cloudType: "SECURE" | "COMMUNITY";
  spot: boolean;
  bid: string;
  name: string;
  templateId: string;
  image: string;
  registryAuthId: string;
  command: string;
  entrypoint: string;
  containerDisk: string;
  volume: string;
  mountPath: string;
  networkVolumeId: string;
  ports: string;
  env: string;
  /** One name=value per line. */
  labels: string;
  dataCenterId: string;
  cudaVersion: string;
  minRam: string;
  minVcpu: string;
  publicIp: boolean;
  /** Empty for the default of the machine. */
  driver: string;
  stopAfter: string;
  /** Minutes; empty for never. */
  idleMinutes: string;
  neverIdle: boolean;
  /** Minutes; empty for no maximum of its own. */
  maxMinutes: string;
  terminateAfter: string;
  /** Whether it waits in line if there is no room. */
  queue: boolean;
}

export const emptyDraft: PodDraft = {
  ...defaultTerms,
  compute: "GPU",
  gpuTypeIds: [],
  gpuCount: 1,
  cpuFlavorId: "",
  vcpuCount: 2,
  cloudType: "SECURE",
  spot: false,
  bid: "",
  name: "",
  templateId: "",
  image: "",
  registryAuthId: "",
  command: "",
  entrypoint: "",
  containerDisk: "",
  volume: "",
  mountPath: "",
  networkVolumeId: "",
  ports: "",
  env: "",
  labels: "",
  dataCenterId: "",
  cudaVersion: "",
  minRam: "",
  minVcpu: "",
  publicIp: false,
  driver: "",
  stopAfter: "",
  idleMinutes: "",
  neverIdle: false,
  maxMinutes: "",
  terminateAfter: "",
  queue: false,
};

export type PodCreate = Schema["PodCreateInput"];

/** The draft's fields for body fields of another name. */
export const bodyFields = {
  imageName: "image",
  containerRegistryAuthId: "registryAuthId",
  dockerArgs: "command",
  dockerEntrypoint: "entrypoint",
  cpuFlavorIds: "cpuFlavorId",
  bidPerGpu: "bid",
  containerDiskInGb: "containerDisk",
  volumeInGb: "volume",
  volumeMountPath: "mountPath",
  dataCenterIds: "dataCenterId",
  minCudaVersion: "cudaVersion",
  minRAMPerGPU: "minRam",
  minVCPUPerGPU: "minVcpu",
  maxLifetime: "maxMinutes",
  stopWhenIdle: "idleMinutes",
  supportPublicIp: "publicIp",
} as const;

export const createBodyOf = (draft: PodDraft): PodCreate => ({
  ...bodyOf(draft),
  ...labelsBody(draft.labels),
  ...(draft.queue && { queue: true }),
});

/** The body of a quote: labels and a place in line have no price. */
export function bodyOf(draft: PodDraft): Schema["PodSettingsInput"] {
  return {
    ...containerBody(draft),
    ...hardwareBody(draft),
    ...storageBody(draft),
    ...deadlineBody(draft),
  };
}

function containerBody(draft: PodDraft): PodCreate {
  return {
    ...ifFilled("name", draft.name.trim()),
    ...ifFilled("templateId", draft.templateId),
    ...ifFilled("imageName", draft.image.trim()),
    ...ifFilled("containerRegistryAuthId", draft.registryAuthId),
    ...ifFilled("dockerArgs", draft.command.trim()),
    ...(draft.entrypoint.trim() && { dockerEntrypoint: draft.entrypoint.trim().split(/\s+/) }),
    ...(draft.ports.trim() && { ports: splitList(draft.ports) }),
    ...(draft.env.trim() && { env: parseVariables(draft.env) }),
    ...(draft.driver !== "" && { driver: draft.driver as NonNullable<PodCreate["driver"]> }),
  };
}

function hardwareBody(draft: PodDraft): PodCreate {
  const gpu = draft.compute === "GPU";
  return {
    ...(gpu ? {} : { computeType: "CPU" as const, vcpuCount: draft.vcpuCount }),
    ...(gpu && draft.gpuTypeIds.length > 0 && { gpuTypeIds: draft.gpuTypeIds }),
    ...(gpu && draft.gpuTypeIds.length > 1 && { gpuTypePriority: "custom" as const }),
    ...(gpu && draft.gpuCount > 1 && { gpuCount: draft.gpuCount }),
    ...(!gpu && draft.cpuFlavorId && { cpuFlavorIds: [draft.cpuFlavorId] }),
    ...(draft.cloudType === "COMMUNITY" && { cloudType: draft.cloudType }),
    ...(gpu && draft.spot && { interruptible: true }),
    ...(gpu && draft.spot && draft.bid !== "" && { bidPerGpu: Number(draft.bid) }),
    ...(draft.dataCenterId && { dataCenterIds: [draft.dataCenterId] }),
    ...ifFilled("minCudaVersion", draft.cudaVersion.trim()),
    ...(gpu && draft.minRam !== "" && { minRAMPerGPU: Number(draft.minRam) }),
    ...(gpu && draft.minVcpu !== "" && { minVCPUPerGPU: Number(draft.minVcpu) }),
    ...(draft.publicIp && { supportPublicIp: true }),
  };
}

function storageBody(draft: PodDraft): PodCreate {
  return {
    ...(draft.containerDisk !== "" && { containerDiskInGb: Number(draft.containerDisk) }),
    ...(draft.volume !== "" && { volumeInGb: Number(draft.volume) }),
    ...ifFilled("volumeMountPath", draft.mountPath.trim()),
    ...ifFilled("networkVolumeId", draft.networkVolumeId),
  };
}

function deadlineBody(draft: PodDraft): PodCreate {
  return {
    ...(draft.stopAfter && { stopAfter: instantOf(draft.stopAfter) }),
    ...(draft.terminateAfter && { terminateAfter: instantOf(draft.terminateAfter) }),
    ...(draft.idleMinutes !== "" && { stopWhenIdle: { minutes: Number(draft.idleMinutes) } }),
    ...(draft.maxMinutes !== "" && { maxLifetime: { minutes: Number(draft.maxMinutes) } }),
    ...(draft.neverIdle && { stopWhenIdle: { never: true as const } }),
    ...changedTerms(draft, defaultTerms),
  };
}

const ifFilled = <Name extends string>(name: Name, value: string) =>
  (value === "" ? {} : { [name]: value }) as { [Key in Name]?: string };
