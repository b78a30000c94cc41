// Schemas of the requests that create and change Pods.

import Type, { type Static } from "typebox";
import {
  CATALOG,
  env,
  idList,
  instant,
  name,
  partialUpdate,
  TAKES,
  wholeNumber,
} from "../../fields.ts";
import { idleRule, neverIdle } from "../../idle-rule.ts";
import { maxLifetimeOrNull } from "../../max-lifetime.ts";
import { podRequestFields } from "../../resource/pod.ts";

const argumentList = (description: string) =>
  Type.Array(Type.String(), {
    default: [],
    description: `${description} Empty for the image's default.`,
  });
const orNull = <Schema extends Type.TSchema>(schema: Schema, takes: string) =>
  Type.Union([schema, Type.Null()], { [TAKES]: `${takes}, or null` });
const amount = (description: string) => Type.Number({ minimum: 0, description });
const priority = Type.Enum(["availability", "custom"], {
  default: "availability",
  description: "Prefer the option with the most capacity, or keep the order of the list.",
});

const containerFields = {
  containerDiskInGb: orNull(
    wholeNumber(0, { default: 50, description: "Size of the container disk in GB." }),
    "a whole number from 0 up",
  ),
  containerRegistryAuthId: Type.String({
    description: "A container registry auth, for a private image; empty for none.",
  }),
  dockerEntrypoint: argumentList("Replaces the image's ENTRYPOINT."),
  dockerStartCmd: argumentList("Replaces the image's CMD."),
  env,
  globalNetworking: Type.Boolean({ default: false, description: "Not offered yet." }),
  imageName: Type.String({ minLength: 1, description: "The container image." }),
  ports: Type.Array(
    Type.String({
      pattern: "^[0-9]{1,5}/(http|tcp)$",
      [TAKES]: "a port and its protocol, such as 8888/http or 22/tcp",
    }),
    { default: ["8888/http", "22/tcp"], description: "Exposed ports." },
  ),
  volumeInGb: orNull(
    wholeNumber(0, {
      default: 20,
      description: "Size of the volume in GB. It survives a stop and can only grow.",
    }),
    "a whole number from 0 up",
  ),
  volumeMountPath: Type.String({
    default: "/workspace",
    pattern: "^/",
    [TAKES]: "an absolute path such as /workspace",
    description: "Where the volume is mounted.",
  }),
};

const inPlaceFields = {
  name: Type.String({ ...name, default: "my pod" }),
  locked: Type.Boolean({
    default: false,
    description: "Whether the Pod refuses stop, restart and reset.",
  }),
  ...podRequestFields,
};

const perGpu = (value: number, description: string) =>
  wholeNumber(1, { default: value, description });

/** Hardware and location. */
const placementFields = {
  allowedCudaVersions: idList(
    "Allowed CUDA versions of the machine; empty for any.",
    "cudaVersions",
  ),
  cloudType: Type.Enum(["SECURE", "COMMUNITY"], {
    default: "SECURE",
    description: "Whose machines: the operator's own, or those of others.",
  }),
  computeType: Type.Enum(["GPU", "CPU"], {
    default: "GPU",
    description: "Run on GPUs or on CPUs. Fields for the other type are ignored.",
  }),
  countryCodes: idList("Allowed countries of the machine; empty for any."),
  cpuFlavorIds: idList("CPU flavors in order of preference; empty for any.", "cpuFlavors"),
  cpuFlavorPriority: priority,
  dataCenterIds: idList("Allowed data centers of the machine; empty for any.", "dataCenters"),
  dataCenterPriority: priority,
  gpuCount: wholeNumber(1, { default: 1, description: "GPUs of a Pod with computeType GPU." }),
  gpuTypeIds: idList("GPU types in order of preference; empty for any.", "gpuTypes"),
  gpuTypePriority: priority,
  minDiskBandwidthMBps: amount("Minimum disk throughput of the machine."),
  minDownloadMbps: amount("Minimum download speed of the machine."),
  minUploadMbps: amount("Minimum upload speed of the machine."),
  minRAMPerGPU: perGpu(8, "Memory in GB per GPU."),
  minRamPerGpu: perGpu(8, "The same as minRAMPerGPU."),
  minVCPUPerGPU: perGpu(2, "Virtual CPUs per GPU."),
  minVcpuPerGpu: perGpu(2, "The same as minVCPUPerGPU."),
  supportPublicIp: orNull(
    Type.Boolean({ description: "Whether the machine must have a public IP address." }),
    "true or false",
  ),
  vcpuCount: wholeNumber(1, {
    default: 2,
    description: "Virtual CPUs of a Pod with computeType CPU.",
  }),
};

const stopWhenIdle = Type.Union([idleRule, neverIdle, Type.Null()], {
  [TAKES]: "an object with minutes, from 1 to 43200, or with never, or null",
});

const otherFields = {
  templateId: orNull(
    Type.String({ description: "A template, for what the request leaves out." }),
    "a template's id",
  ),
  networkVolumeId: orNull(
    Type.String({
      description: "Mounted at volumeMountPath instead of the Pod's own volume.",
    }),
    "a network volume's id",
  ),
  interruptible: Type.Boolean({
    default: false,
    description:
      "Whether it is a spot Pod: cheaper, and stopped when an on-demand Pod needs its GPUs.",
  }),
  volumeEncrypted: Type.Boolean({ default: false, description: "Not offered yet." }),
  minCudaVersion: orNull(
    Type.String({ [CATALOG]: "cudaVersions", description: "Minimum CUDA version of the machine." }),
    'a CUDA version such as "12.4"',
  ),
  bidPerGpu: Type.Number({
    minimum: 0,
    description: "Maximum price of a spot Pod in dollars per GPU-hour; it pays the spot price.",
  }),
  dockerArgs: Type.String({
    description:
      'dockerStartCmd as one line with quotes, or a JSON object of the lists "cmd" and "entrypoint".',
  }),
  driver: orNull(
    Type.Enum(["docker", "kubernetes", "process", "simulated"], {
      description: "The driver that must run it; null for the machine's driver.",
    }),
    'one of "docker", "kubernetes", "process", "simulated"',
  ),
  stopAfter: { ...instant, description: "When the Pod is stopped. An extension of Freehold." },
  terminateAfter: { ...instant, description: "When the Pod is deleted. An extension of Freehold." },
  stopWhenIdle,
  maxLifetime: maxLifetimeOrNull,
};

const createFields = {
  ...inPlaceFields,
  ...containerFields,
  ...placementFields,
  ...otherFields,
};

/** A Pod that other operations than its creation describe: it is created or refused at once. */
export const podCreate = Type.Object(Type.Partial(Type.Object(createFields)).properties, {
  title: "PodSettingsInput",
  additionalProperties: false,
});
export type PodCreate = Static<typeof podCreate>;

const queue = Type.Boolean({
  default: false,
  description:
    "Whether the Pod waits in line if there is no room for it now, or a quota is reached. " +
    "An extension of Freehold.",
});

export const queueablePodCreate = Type.Object(
  Type.Partial(Type.Object({ ...createFields, queue })).properties,
  { title: "PodCreateInput", additionalProperties: false },
);

const deadline = (action: string) =>
  orNull({ ...instant, description: `When the Pod is ${action}; null for never.` }, "an instant");

const deadlines = { stopAfter: deadline("stopped"), terminateAfter: deadline("deleted") };

export const podKeep = Type.Object(
  {
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_080,
        default: 120,
        description: "For how long it runs on, used or not, as far as its maximum lifetime allows.",
      }),
    ),
  },
  { title: "PodKeepInput", additionalProperties: false },
);

/** Whatever created a Pod may be sent again; what cannot change must be as it was. */
export const podUpdate = Type.Object(
  partialUpdate(
    Type.Object({
      ...inPlaceFields,
      ...containerFields,
      ...placementFields,
      ...otherFields,
      ...deadlines,
    }),
  ).properties,
  { title: "PodUpdateInput", additionalProperties: false },
);
export type PodUpdate = Static<typeof podUpdate>;
