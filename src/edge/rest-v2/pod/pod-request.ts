// The body of a new or changed Pod of REST v2 as a request to the flows.

import { containerRequestFields } from "../../../contract/rest-v2/container.ts";
import type { PodCreate, PodPatch } from "../../../contract/rest-v2/pod/pod-write.ts";
import type { Creator } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
import type { Pod } from "../../../domain/pod/pod.ts";
import { defaultTerms, type PodRequest } from "../../../domain/pod/pod-request.ts";
import type { PodSpec } from "../../../domain/pod/spec.ts";
import type { TemplateSpec } from "../../../domain/template/template.ts";
import type { NewPod } from "../../../flows/pod/create.ts";
import type { PodChanges } from "../../../flows/pod/update.ts";
import { takeFields } from "../../management/serve/take-fields.ts";
import { containerSettings } from "../container.ts";
import { mergedWithTemplate } from "../template/template-merge.ts";

export function newPodFrom(body: PodCreate): Omit<NewPod, keyof Creator | "once"> {
  const { gpu, cpu, mounts, globalNetworking, ...others } = body;
  requireConsistent({ gpu, cpu, mounts, globalNetworking });
  const { templateId, cloud, dataCenterIds, startSsh, startJupyter, ...plain } = others;
  const [terms, containerFields] = takeFields(plain, defaultTerms);
  const [container, rest] = takeFields(containerFields, containerRequestFields);
  rest satisfies Record<string, never>;
  const { containerRegistryAuthId, ...settings } = containerSettings(container);
  const request: PodRequest = {
    ...(templateId === undefined ? { ports: [] } : { templateId }),
    ...settings,
    ...(containerRegistryAuthId !== undefined && { containerRegistryAuthId }),
    ...volumeOf({ mounts, templateId, cpu }),
    ...hardwareOf({ gpu, cpu }),
    cloudType: cloud ?? "SECURE",
    ...(dataCenterIds && { dataCenterIds }),
  };
  return {
    ...defaultTerms,
    ...terms,
    request,
    services: { ssh: startSsh === true, jupyter: startJupyter === true },
  };
}

/** Without a mount a Pod has no volume, unless its template has one. */
function volumeOf({
  mounts,
  templateId,
  cpu,
}: Pick<PodCreate, "mounts" | "templateId" | "cpu">): PodRequest {
  const { persistent, network: [network] = [] } = mounts ?? {};
  if (network) return { networkVolumeId: network.volumeId, volumeMountPath: network.path };
  if (persistent) return { volumeInGb: persistent.size, volumeMountPath: persistent.path };
  return templateId === undefined || cpu ? { volumeInGb: 0 } : {};
}

function hardwareOf({ gpu, cpu }: Pick<PodCreate, "gpu" | "cpu">): PodRequest {
  if (cpu) {
    const size = { cpuFlavorIds: [cpu.id], vcpuCount: cpu.vcpuCount };
    return { computeType: "CPU", ...size, allowedCudaVersions: [] };
  }
  const { id, count, allowedCudaVersions, minCudaVersion, ...minimums } = gpu!;
  const { minRamPerGpu, minVcpuCountPerGpu } = minimums;
  return {
    computeType: "GPU",
    gpuTypeIds: [id],
    gpuCount: count ?? 1,
    ...(allowedCudaVersions && { allowedCudaVersions }),
    ...(minCudaVersion !== undefined && { minCudaVersion }),
    ...(minRamPerGpu !== undefined && { minRAMPerGPU: minRamPerGpu }),
    ...(minVcpuCountPerGpu !== undefined && { minVCPUPerGPU: minVcpuCountPerGpu }),
  };
}

type Consistent = Pick<PodCreate, "gpu" | "cpu" | "mounts" | "globalNetworking">;

function requireConsistent({ gpu, cpu, mounts, globalNetworking }: Consistent): void {
  const { persistent, network = [] } = mounts ?? {};
  const onlyOne = gpu === undefined ? cpu !== undefined : cpu === undefined;
  const rules: [broken: boolean, sentence: string][] = [
    [!onlyOne, 'Send exactly one of "gpu" and "cpu".'],
    [
      gpu?.minCudaVersion !== undefined && (gpu.allowedCudaVersions ?? []).length > 0,
      'Send only one of "gpu.allowedCudaVersions" and "gpu.minCudaVersion".',
    ],
    [
      cpu !== undefined && persistent !== undefined,
      '"mounts.persistent" is for Pods on GPUs; a Pod on CPUs takes "mounts.network".',
    ],
    [
      persistent !== undefined && network.length > 0,
      'Send only one of "mounts.persistent" and "mounts.network".',
    ],
  ];
  const sentences = rules.filter(([broken]) => broken).map(([, sentence]) => sentence);
  if (sentences.length > 0) throw new Fault("invalid_body", { detail: sentences.join(" ") });
  refuseGlobalNetworking(globalNetworking);
}

function refuseGlobalNetworking(wanted: boolean | undefined): void {
  if (!wanted) return;
  const detail = 'Global networking is not offered; leave "globalNetworking" out.';
  throw new Fault("not_offered", { detail });
}

/** The flow makes a new container only if a setting differs. */
export function podChangesFrom(
  body: PodPatch,
  { desired }: Pod,
  template: TemplateSpec | null,
): PodChanges {
  const { mounts, globalNetworking, templateId: _, ...others } = body;
  refuseGlobalNetworking(globalNetworking);
  const [terms, containerFields] = takeFields(others, defaultTerms);
  const [container, rest] = takeFields(containerFields, containerRequestFields);
  rest satisfies Record<string, never>;
  const { containerRegistryAuthId, ...settings } = mergedWithTemplate(container, template);
  const request: PodRequest = {
    ...settings,
    ...(containerRegistryAuthId !== undefined && {
      containerRegistryAuthId: containerRegistryAuthId || null,
    }),
    ...changedMount(mounts, desired.spec),
  };
  return { ...terms, ...(Object.keys(request).length > 0 && { request }) };
}

function changedMount(mounts: PodPatch["mounts"], spec: PodSpec): Partial<PodSpec> {
  const { persistent, network } = mounts ?? {};
  const refuse = (detail: string): never => {
    throw new Fault("invalid_body", { detail });
  };
  if (persistent && network) {
    return refuse('Send only one of "mounts.persistent" and "mounts.network".');
  }
  if (network) {
    const [mount] = network;
    if (!mount) return refuse('"mounts.network" is empty; a Pod keeps its network volume.');
    if (spec.networkVolumeId === null) {
      return refuse('"mounts.network" cannot be added: the Pod was created without it.');
    }
    if (mount.volumeId !== spec.networkVolumeId) {
      return refuse(`"mounts.network[0].volumeId" must stay ${spec.networkVolumeId}.`);
    }
    return { volumeMountPath: mount.path };
  }
  if (!persistent) return {};
  if (spec.volumeInGb === 0) {
    return refuse('"mounts.persistent" cannot be added: the Pod was created without it.');
  }
  return { volumeInGb: persistent.size, volumeMountPath: persistent.path };
}
