// Inputs that rent a Pod, as the REST interface's body, so that both are validated by the same schema and
// handled by the same flow.

import { type PodCreate, podCreate } from "../../../contract/rest-v1/pod/pod-write.ts";
import type { Creator } from "../../../domain/account.ts";
import type { Catalog } from "../../../domain/catalog/catalog.ts";
import { cheapestInstance, instanceOf } from "../../../domain/catalog/cpu-instance.ts";
import { readDockerArgs } from "../../../domain/container/docker-args.ts";
import { Fault } from "../../../domain/fault.ts";
import type { NewPod } from "../../../flows/pod/create.ts";
import { newPodRequest } from "../../management/pod/pod-request.ts";
import { bodyReader } from "../../management/serve/read-body.ts";
import { takeFields } from "../../management/serve/take-fields.ts";
import {
  envObject,
  labelsObject,
  type Present,
  positiveOrNull,
  presentFields,
  presentItems,
  splitList,
} from "../schema/input.ts";
import type {
  DeployCpuPodInput,
  PodFindAndDeployOnDemandInput,
  PodRentInterruptableInput,
} from "../schema/types.generated.ts";

/** The fields of every mutation that rents a Pod. */
export type DeployInput = Partial<
  PodFindAndDeployOnDemandInput & PodRentInterruptableInput & DeployCpuPodInput
>;

type PresentInput = Present<DeployInput>;

/** The fields that this file reads one by one; all others have the names and the form of REST v1. */
const ownForm = {
  aiApiId: true,
  allowedCudaVersions: true,
  bidPerGpu: true,
  cloudType: true,
  compliance: true,
  computeType: true,
  countryCode: true,
  cudaVersion: true,
  dataCenterId: true,
  deployCost: true,
  dockerArgs: true,
  env: true,
  globalNetwork: true,
  gpuCount: true,
  gpuTypeId: true,
  gpuTypeIdList: true,
  ideAiApiId: true,
  instanceId: true,
  instanceIds: true,
  labels: true,
  minDisk: true,
  minDownload: true,
  minMemoryInGb: true,
  minUpload: true,
  minVcpuCount: true,
  port: true,
  ports: true,
  savingsPlan: true,
  startJupyter: true,
  startSsh: true,
  volumeKey: true,
} satisfies Partial<Record<keyof DeployInput, true>>;

const readBody = bodyReader(podCreate, undefined);

/** Throws the fault that says what is wrong with it. */
export function newPodFrom(
  catalog: Catalog,
  deployInput: DeployInput,
  kind: { onCpu: boolean; spot: boolean },
): Omit<NewPod, keyof Creator | "once"> {
  const input = withoutVendorTemplate(presentFields(deployInput));
  refuseUnsupported(input);
  const onCpu = kind.onCpu || input.computeType === "CPU" || asksForNoGpu(input);
  const [, plain] = takeFields(input, ownForm);
  const [settings, rest] = takeFields(plain, podCreate.properties);
  rest satisfies Record<string, never>;
  const body = {
    ...settings,
    ...container(input),
    ...placement(input),
    ...(onCpu ? cpus(catalog, input, { isInstanceRequired: kind.onCpu }) : gpus(input)),
    ...(kind.spot && { interruptible: true }),
    ...(kind.spot && input.bidPerGpu !== undefined && { bidPerGpu: input.bidPerGpu }),
  };
  const pod = newPodRequest(readBody(body));
  const { deployCost } = input;
  return {
    ...pod,
    request: { ...pod.request, cloudType: cloudOf(input, onCpu) },
    mostPerHr: deployCost === undefined ? null : Math.round(deployCost * 1_000_000),
    services: { ssh: input.startSsh === true, jupyter: input.startJupyter === true },
  };
}

/** Older clients ask for a Pod on CPUs by 0 GPUs of no type. */
const asksForNoGpu = ({ gpuCount, gpuTypeId, gpuTypeIdList }: PresentInput) =>
  gpuCount === 0 && !gpuTypeId && presentItems(gpuTypeIdList).length === 0;

/** CPUs and network volumes are in data centers only; a request for the community cloud is refused later. */
function cloudOf({ cloudType = "ALL", networkVolumeId }: PresentInput, onCpu: boolean) {
  return cloudType === "ALL" && (onCpu || networkVolumeId) ? "SECURE" : cloudType;
}

/** Clients name an official template together with an image of their own, which replaces all of it. */
function withoutVendorTemplate({ templateId, ...input }: PresentInput): PresentInput {
  const isVendorTemplate = templateId?.startsWith("runpod-") && input.imageName;
  return templateId && !isVendorTemplate ? { ...input, templateId } : input;
}

function container(input: PresentInput): object {
  const { ports, port, env, dockerArgs, labels } = input;
  const portList = splitList(ports);
  if (portList.length === 0 && port) portList.push(`${port}/http`);
  return {
    ...(portList.length > 0 && { ports: portList }),
    ...(env && { env: envObject(env) }),
    ...(labels && { labels: labelsObject(labels) }),
    ...(dockerArgs && readDockerArgs(dockerArgs)),
  };
}

function placement(input: PresentInput): Partial<PodCreate> {
  const { countryCode, dataCenterId, minDownload, minUpload } = input;
  const versions = presentItems([...(input.allowedCudaVersions ?? []), input.cudaVersion]);
  const [download, upload] = [positiveOrNull(minDownload), positiveOrNull(minUpload)];
  return {
    ...(countryCode && { countryCodes: splitList(countryCode) }),
    ...(dataCenterId && { dataCenterIds: splitList(dataCenterId) }),
    ...(versions.length > 0 && { allowedCudaVersions: [...new Set(versions)] }),
    ...(download !== null && { minDownloadMbps: download }),
    ...(upload !== null && { minUploadMbps: upload }),
  };
}

/** Minimums are for the whole Pod in GraphQL and per GPU in REST; they never lower the usual ones. */
function gpus(input: PresentInput): Partial<PodCreate> {
  const count = input.gpuCount ?? 1;
  const listed = presentItems(input.gpuTypeIdList);
  const types = input.gpuTypeId ? [input.gpuTypeId, ...listed] : listed;
  const perGpu = (minimum: number | undefined, usual: number) =>
    Math.max(usual, Math.ceil((minimum ?? 0) / Math.max(1, count)));
  return {
    computeType: "GPU",
    gpuCount: count,
    gpuTypeIds: types,
    ...(types.length > 1 && { gpuTypePriority: "custom" as const }),
    minVCPUPerGPU: perGpu(input.minVcpuCount, 2),
    minRAMPerGPU: perGpu(input.minMemoryInGb, 8),
  };
}

function cpus(
  catalog: Catalog,
  { instanceId, instanceIds = [], minVcpuCount, minMemoryInGb }: PresentInput,
  { isInstanceRequired }: { isInstanceRequired: boolean },
): Partial<PodCreate> {
  const ids = presentItems([instanceId, ...instanceIds]);
  if (ids.length > 0) {
    return { computeType: "CPU", cpuFlavorPriority: "custom", ...instanceOf(catalog, ids) };
  }
  if (isInstanceRequired) {
    const detail = '"instanceId" is missing; it must be a CPU flavor with its size: cpu3c-2-4.';
    throw new Fault("invalid_body", { detail });
  }
  return {
    computeType: "CPU",
    ...instanceFor(catalog, minVcpuCount ?? 0, minMemoryInGb ?? 0),
  };
}

/** Placement refuses the vCPUs that no instance has, and says which there are. */
function instanceFor({ cpuFlavors }: Catalog, minVcpus: number, minMemoryInGb: number) {
  const choice = cheapestInstance(
    cpuFlavors,
    (vcpus, memoryGb) => vcpus >= minVcpus && memoryGb >= minMemoryInGb,
  );
  return choice ?? { vcpuCount: minVcpus };
}

function refuseUnsupported(input: PresentInput): void {
  const { compliance = [] } = input;
  const unsupported: [isRequested: boolean, sentence: string][] = [
    [input.globalNetwork === true, 'Global networking is not offered; leave "globalNetwork" out.'],
    [Boolean(input.volumeKey), 'Volumes are not encrypted here; leave "volumeKey" out.'],
    [
      compliance.length > 0,
      'Machines here declare no certifications; leave "compliance" out or empty.',
    ],
    [
      (input.minDisk ?? 0) > 0,
      'A Pod asks for disk by "containerDiskInGb" and "volumeInGb"; leave "minDisk" out.',
    ],
    [
      Boolean(input.aiApiId ?? input.ideAiApiId),
      'Public model endpoints are not offered; leave "aiApiId" and "ideAiApiId" out.',
    ],
  ];
  const sentences = unsupported.filter(([isRequested]) => isRequested).map(([, text]) => text);
  if (sentences.length > 0) throw new Fault("not_offered", { detail: sentences.join(" ") });
}
