// What a client asks of a Pod, brought to the catalog's own spelling, over what its template says
// and what goes without saying.

import { type Catalog, canonicalGpuType } from "../catalog/catalog.ts";
import type { TemplateSpec } from "../template/template.ts";
import type { PodSpec } from "./pod.ts";

/** Whatever is left out, or null, has its default. */
export type PodWishes = { [Name in keyof PodSpec]?: PodSpec[Name] | null };

const usual: Omit<PodSpec, "imageName"> = {
  templateId: null,
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
  driver: null,
};

/** Body over template over defaults; variables of both are there, the body's first. */
export function podSpecOf(
  catalog: Catalog,
  wishes: PodWishes,
  template: TemplateSpec | null,
): PodSpec {
  const asked = Object.fromEntries(
    Object.entries(wishes).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<PodSpec>;
  const spec = { imageName: "", ...usual, ...(template && fromTemplate(template)), ...asked };
  return {
    ...spec,
    volumeInGb: spec.networkVolumeId === null ? spec.volumeInGb : 0,
    env: { ...template?.env, ...asked.env },
    gpuTypeIds: each(spec.gpuTypeIds, (id) => canonicalGpuType(catalog, id)),
    dataCenterIds: each(spec.dataCenterIds, (id) => id.toUpperCase()),
    countryCodes: each(spec.countryCodes, (code) => code.toUpperCase()),
    cpuFlavorIds: each(spec.cpuFlavorIds, (id) => id),
    minCudaVersion: spec.minCudaVersion || null,
  };
}

function fromTemplate(template: TemplateSpec): Partial<PodSpec> {
  const { imageName, dockerEntrypoint, dockerStartCmd, ports, driver } = template;
  const { containerDiskInGb, volumeInGb, volumeMountPath } = template;
  const disks = { containerDiskInGb, volumeInGb, volumeMountPath };
  const containerRegistryAuthId = template.containerRegistryAuthId || null;
  const container = { imageName, dockerEntrypoint, dockerStartCmd, ports, driver };
  return { ...container, containerRegistryAuthId, ...disks };
}

function each(ids: string[], spelled: (id: string) => string): string[] {
  return [...new Set(ids.map(spelled))];
}
