// What a new Pod is asked for, brought into the form of the management interface, so that both are
// checked by the same schema and decided on by the same flow.

import { type PodCreate, podCreate } from "../../contract/rest-v1/pod-write.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { instanceOf } from "../../domain/catalog/cpu-instance.ts";
import { Fault } from "../../domain/fault.ts";
import { readDockerArgs } from "../../domain/pod/docker-args.ts";
import type { NewPod } from "../../flows/pod/create.ts";
import { newPodWishes } from "../rest-v1/pod-wishes.ts";
import { bodyReader } from "../rest-v1/read-body.ts";
import { atLeast, envObject, given, parts, type Variable } from "./given.ts";
import type { PlanInput } from "./savings-plan-read.ts";

export interface DeployInput {
  aiApiId?: string;
  allowedCudaVersions?: (string | null)[];
  bidPerGpu?: number;
  cloudType?: "ALL" | "COMMUNITY" | "SECURE";
  compliance?: string[];
  computeType?: "CPU" | "GPU";
  containerDiskInGb?: number;
  containerRegistryAuthId?: string;
  countryCode?: string;
  cudaVersion?: string;
  dataCenterId?: string;
  deployCost?: number;
  dockerArgs?: string;
  driver?: string;
  env?: (Variable | null)[];
  globalNetwork?: boolean;
  gpuCount?: number;
  gpuTypeId?: string;
  gpuTypeIdList?: (string | null)[];
  ideAiApiId?: string;
  imageName?: string;
  instanceId?: string;
  instanceIds?: (string | null)[];
  minCudaVersion?: string;
  minDisk?: number;
  minDownload?: number;
  minMemoryInGb?: number;
  minUpload?: number;
  minVcpuCount?: number;
  name?: string;
  networkVolumeId?: string;
  port?: string;
  ports?: string;
  savingsPlan?: PlanInput;
  startJupyter?: boolean;
  startSsh?: boolean;
  stopAfter?: string;
  supportPublicIp?: boolean;
  templateId?: string;
  terminateAfter?: string;
  volumeInGb?: number;
  volumeKey?: string;
  volumeMountPath?: string;
}

const read = bodyReader(podCreate, undefined);

/** Throws the fault that says what is wrong with it. */
export function newPodOf(
  catalog: Catalog,
  wanted: DeployInput | null,
  kind: { onCpu: boolean; spot: boolean },
): Omit<NewPod, "accountId" | "keyId" | "once"> {
  const input = withoutVendorTemplate(given(wanted) as DeployInput);
  refuseWhatIsNotOffered(input);
  const onCpu = kind.onCpu || input.computeType === "CPU";
  const body = {
    ...container(input),
    ...placement(input),
    ...(onCpu ? cpus(catalog, input) : gpus(input)),
    ...(kind.spot && { interruptible: true }),
    ...(kind.spot && input.bidPerGpu !== undefined && { bidPerGpu: input.bidPerGpu }),
  };
  const pod = newPodWishes(read(body) as PodCreate);
  const { deployCost: most } = input;
  return {
    ...pod,
    wishes: { ...pod.wishes, cloudType: cloudOf(input, onCpu) },
    mostPerHr: most === undefined ? null : Math.round(most * 1_000_000),
    services: { ssh: input.startSsh === true, jupyter: input.startJupyter === true },
  };
}

/** CPUs and network volumes are in data centers alone; who asks for the community's is told so. */
function cloudOf({ cloudType = "ALL", networkVolumeId }: DeployInput, onCpu: boolean) {
  return cloudType === "ALL" && (onCpu || networkVolumeId) ? "SECURE" : cloudType;
}

/** Clients name a template of the hosted service beside their own image; ids here have no dash. */
function withoutVendorTemplate({ templateId, ...input }: DeployInput): DeployInput {
  const vendors = templateId?.startsWith("runpod-") && input.imageName;
  return templateId && !vendors ? { ...input, templateId } : input;
}

function container(input: DeployInput): object {
  const { ports, port, env, dockerArgs } = input;
  const exposed = parts(ports);
  if (exposed.length === 0 && port) exposed.push(`${port}/http`);
  return {
    ...pick(input, [
      "name",
      "imageName",
      "containerDiskInGb",
      "containerRegistryAuthId",
      "volumeInGb",
      "volumeMountPath",
      "networkVolumeId",
      "templateId",
      "driver",
      "stopAfter",
      "terminateAfter",
    ]),
    ...(exposed.length > 0 && { ports: exposed }),
    ...(env && { env: envObject(env) }),
    ...(dockerArgs && readDockerArgs(dockerArgs)),
  };
}

function placement(input: DeployInput): Partial<PodCreate> {
  const { countryCode, dataCenterId, minDownload, minUpload, supportPublicIp } = input;
  const versions = [...(input.allowedCudaVersions ?? []), input.cudaVersion].filter(
    (version): version is string => Boolean(version),
  );
  const [download, upload] = [atLeast(minDownload), atLeast(minUpload)];
  return {
    ...pick(input, ["minCudaVersion"]),
    ...(countryCode && { countryCodes: parts(countryCode) }),
    ...(dataCenterId && { dataCenterIds: parts(dataCenterId) }),
    ...(versions.length > 0 && { allowedCudaVersions: [...new Set(versions)] }),
    ...(download !== null && { minDownloadMbps: download }),
    ...(upload !== null && { minUploadMbps: upload }),
    ...(supportPublicIp !== undefined && { supportPublicIp }),
  };
}

/** Minimums are for the whole Pod here, and never lower what it has anyway. */
function gpus(input: DeployInput): Partial<PodCreate> {
  const count = input.gpuCount ?? 1;
  const listed = (input.gpuTypeIdList ?? []).filter((id): id is string => Boolean(id));
  const types = input.gpuTypeId ? [input.gpuTypeId, ...listed] : listed;
  const each = (minimum: number | undefined, usual: number) =>
    Math.max(usual, Math.ceil((minimum ?? 0) / Math.max(1, count)));
  return {
    computeType: "GPU",
    gpuCount: count,
    gpuTypeIds: types,
    ...(types.length > 1 && { gpuTypePriority: "custom" as const }),
    minVCPUPerGPU: each(input.minVcpuCount, 2),
    minRAMPerGPU: each(input.minMemoryInGb, 8),
  };
}

function cpus(catalog: Catalog, { instanceId, instanceIds = [] }: DeployInput): Partial<PodCreate> {
  const named = [instanceId, ...instanceIds].filter((id): id is string => Boolean(id));
  if (named.length === 0) {
    const detail = '"instanceId" is missing; it must be a CPU flavor with its size: cpu3c-2-4.';
    throw new Fault("invalid_body", { detail });
  }
  return { computeType: "CPU", cpuFlavorPriority: "custom", ...instanceOf(catalog, named) };
}

function refuseWhatIsNotOffered(input: DeployInput): void {
  const { compliance = [] } = input;
  const asked: [boolean, string][] = [
    [input.globalNetwork === true, 'Global networking is not offered; leave "globalNetwork" out.'],
    [Boolean(input.volumeKey), 'Volumes are not encrypted here; leave "volumeKey" out.'],
    [
      compliance.length > 0,
      'Machines here declare no certifications; leave "compliance" out or empty.',
    ],
    [
      (input.minDisk ?? 0) > 0,
      'A least disk is asked for by "containerDiskInGb" and "volumeInGb"; leave "minDisk" out.',
    ],
    [
      Boolean(input.aiApiId ?? input.ideAiApiId),
      'Public model endpoints are not offered; leave "aiApiId" and "ideAiApiId" out.',
    ],
  ];
  const refused = asked.filter(([wanted]) => wanted).map(([, sentence]) => sentence);
  if (refused.length > 0) throw new Fault("not_offered", { detail: refused.join(" ") });
}

function pick<Input extends object, Name extends keyof Input>(
  input: Input,
  names: readonly Name[],
): { [Key in Name]?: NonNullable<Input[Key]> } {
  const set = names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]);
  return Object.fromEntries(set) as { [Key in Name]?: NonNullable<Input[Key]> };
}
