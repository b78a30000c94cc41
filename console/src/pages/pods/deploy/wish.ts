// What is filled in on the deploy page, and the body that it makes: only what is not the default.

import type { Schema } from "../../../api/client.ts";

export interface Wish {
  compute: "GPU" | "CPU";
  /** In the order of preference; empty for any. */
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
  dataCenterId: string;
  cudaVersion: string;
  minRam: string;
  minVcpu: string;
  publicIp: boolean;
  driver: "" | "docker" | "process" | "fake";
  stopAfter: string;
  terminateAfter: string;
  locked: boolean;
}

export const firstWish: Wish = {
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
  dataCenterId: "",
  cudaVersion: "",
  minRam: "",
  minVcpu: "",
  publicIp: false,
  driver: "",
  stopAfter: "",
  terminateAfter: "",
  locked: false,
};

export type PodCreate = Schema["PodCreate"];

export function bodyOf(wish: Wish): PodCreate {
  return { ...named(wish), ...placed(wish), ...stored(wish), ...limited(wish) };
}

function named(wish: Wish): PodCreate {
  return {
    ...filled("name", wish.name.trim()),
    ...filled("templateId", wish.templateId),
    ...filled("imageName", wish.image.trim()),
    ...filled("containerRegistryAuthId", wish.registryAuthId),
    ...filled("dockerArgs", wish.command.trim()),
    ...(wish.entrypoint.trim() && { dockerEntrypoint: wish.entrypoint.trim().split(/\s+/) }),
    ...(wish.ports.trim() && { ports: wish.ports.split(/[\s,]+/).filter(Boolean) }),
    ...(wish.env.trim() && { env: variablesIn(wish.env) }),
    ...(wish.driver !== "" && { driver: wish.driver }),
  };
}

function placed(wish: Wish): PodCreate {
  const gpu = wish.compute === "GPU";
  return {
    ...(gpu ? {} : { computeType: "CPU" as const, vcpuCount: wish.vcpuCount }),
    ...(gpu && wish.gpuTypeIds.length > 0 && { gpuTypeIds: wish.gpuTypeIds }),
    ...(gpu && wish.gpuTypeIds.length > 1 && { gpuTypePriority: "custom" as const }),
    ...(gpu && wish.gpuCount > 1 && { gpuCount: wish.gpuCount }),
    ...(!gpu && wish.cpuFlavorId && { cpuFlavorIds: [wish.cpuFlavorId] }),
    ...(wish.cloudType === "COMMUNITY" && { cloudType: wish.cloudType }),
    ...(gpu && wish.spot && { interruptible: true }),
    ...(gpu && wish.spot && wish.bid !== "" && { bidPerGpu: Number(wish.bid) }),
    ...(wish.dataCenterId && { dataCenterIds: [wish.dataCenterId] }),
    ...filled("minCudaVersion", wish.cudaVersion.trim()),
    ...(gpu && wish.minRam !== "" && { minRAMPerGPU: Number(wish.minRam) }),
    ...(gpu && wish.minVcpu !== "" && { minVCPUPerGPU: Number(wish.minVcpu) }),
    ...(wish.publicIp && { supportPublicIp: true }),
  };
}

function stored(wish: Wish): PodCreate {
  return {
    ...(wish.containerDisk !== "" && { containerDiskInGb: Number(wish.containerDisk) }),
    ...(wish.volume !== "" && { volumeInGb: Number(wish.volume) }),
    ...filled("volumeMountPath", wish.mountPath.trim()),
    ...filled("networkVolumeId", wish.networkVolumeId),
  };
}

function limited(wish: Wish): PodCreate {
  return {
    ...(wish.stopAfter && { stopAfter: new Date(wish.stopAfter).toISOString() }),
    ...(wish.terminateAfter && { terminateAfter: new Date(wish.terminateAfter).toISOString() }),
    ...(wish.locked && { locked: true }),
  };
}

const filled = <Name extends string>(name: Name, value: string) =>
  (value === "" ? {} : { [name]: value }) as { [Key in Name]?: string };

/** One NAME=value a line. */
export function variablesIn(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const equals = line.indexOf("=");
      return equals === -1
        ? [line.trim(), ""]
        : [line.slice(0, equals).trim(), line.slice(equals + 1)];
    }),
  );
}
