// What a new or changed Pod is asked for.

import Type, { type Static } from "typebox";
import { changesOf, env, instant, name, TAKES, whole } from "../fields.ts";

const words = (description: string) =>
  Type.Array(Type.String(), { default: [], description: `${description} Empty: the image's own.` });
const ids = (description: string) => Type.Array(Type.String(), { default: [], description });
const orNull = <Schema extends Type.TSchema>(schema: Schema, takes: string) =>
  Type.Union([schema, Type.Null()], { [TAKES]: `${takes}, or null` });
const amount = (description: string) => Type.Number({ minimum: 0, description });
const priority = Type.Enum(["availability", "custom"], {
  default: "availability",
  description: "Whether what is there most goes first, or the order of the list is kept.",
});

const container = {
  containerDiskInGb: orNull(whole(0, { default: 50 }), "a whole number from 0 up"),
  containerRegistryAuthId: Type.String({
    description: "A container registry auth, for a private image; empty for none.",
  }),
  dockerEntrypoint: words("Replaces the image's ENTRYPOINT."),
  dockerStartCmd: words("Replaces the image's CMD."),
  env,
  globalNetworking: Type.Boolean({ default: false, description: "Not offered yet." }),
  imageName: Type.String({ minLength: 1, description: "The image its container is made from." }),
  ports: Type.Array(
    Type.String({
      pattern: "^[0-9]{1,5}/(http|tcp)$",
      [TAKES]: "a port and its protocol, such as 8888/http or 22/tcp",
    }),
    { default: ["8888/http", "22/tcp"], description: "Ports that are exposed." },
  ),
  volumeInGb: orNull(
    whole(0, { default: 20, description: "GB that outlive a stop; they only grow." }),
    "a whole number from 0 up",
  ),
  volumeMountPath: Type.String({
    default: "/workspace",
    pattern: "^/",
    [TAKES]: "an absolute path such as /workspace",
    description: "Where the volume is mounted.",
  }),
};

const inPlace = {
  name: Type.String({ ...name, default: "my pod" }),
  locked: Type.Boolean({ default: false, description: "Refuses stop, restart and reset." }),
};

const perGpu = (takes: number, description: string) => whole(1, { default: takes, description });

/** Where it may run, and on what. */
const placement = {
  allowedCudaVersions: ids("CUDA versions that its machine may have; empty for any."),
  cloudType: Type.Enum(["SECURE", "COMMUNITY"], { default: "SECURE" }),
  computeType: Type.Enum(["GPU", "CPU"], {
    default: "GPU",
    description: "What it computes on; what is said of the other is ignored.",
  }),
  countryCodes: ids("Where its machine may stand; empty for anywhere."),
  cpuFlavorIds: ids("CPU flavors in the order of preference; empty for any."),
  cpuFlavorPriority: priority,
  dataCenterIds: ids("Where its machine may stand; empty for anywhere."),
  dataCenterPriority: priority,
  gpuCount: whole(1, { default: 1 }),
  gpuTypeIds: ids("GPU types in the order of preference; empty for any."),
  gpuTypePriority: priority,
  minDiskBandwidthMBps: amount("What its machine's disk must do."),
  minDownloadMbps: amount("What its machine's line must do."),
  minUploadMbps: amount("What its machine's line must do."),
  minRAMPerGPU: perGpu(8, "GB for each GPU."),
  minRamPerGpu: perGpu(8, "The same as minRAMPerGPU."),
  minVCPUPerGPU: perGpu(2, "Virtual CPUs for each GPU."),
  minVcpuPerGpu: perGpu(2, "The same as minVCPUPerGPU."),
  supportPublicIp: orNull(Type.Boolean(), "true or false"),
  vcpuCount: whole(1, { default: 2, description: "Virtual CPUs, on computeType CPU." }),
};

const others = {
  templateId: orNull(Type.String(), "a template's id"),
  networkVolumeId: orNull(
    Type.String({
      description: "Mounted at volumeMountPath, in the place of a volume of its own.",
    }),
    "a network volume's id",
  ),
  interruptible: Type.Boolean({
    default: false,
    description: "A spot Pod: cheaper, and stopped where its GPUs are needed on demand.",
  }),
  volumeEncrypted: Type.Boolean({ default: false, description: "Not offered yet." }),
  minCudaVersion: orNull(Type.String(), 'a CUDA version such as "12.4"'),
  bidPerGpu: Type.Number({
    minimum: 0,
    description:
      "Dollars per GPU and hour that a spot Pod may cost at most; it pays the spot price.",
  }),
  dockerArgs: Type.String({ description: "The same as dockerStartCmd, in one line." }),
  driver: orNull(Type.Enum(["docker", "process", "fake"]), 'one of "docker", "process", "fake"'),
  stopAfter: { ...instant, description: "When it is stopped. An extension of ours." },
  terminateAfter: { ...instant, description: "When it is deleted. An extension of ours." },
};

export const podCreate = Type.Object(
  Type.Partial(Type.Object({ ...inPlace, ...container, ...placement, ...others })).properties,
  { title: "PodCreate", additionalProperties: false },
);
export type PodCreate = Static<typeof podCreate>;

const deadline = (what: string) =>
  orNull({ ...instant, description: `When it is ${what}; null for never.` }, "an instant");

const deadlines = { stopAfter: deadline("stopped"), terminateAfter: deadline("deleted") };

export const podUpdate = Type.Object(
  changesOf(Type.Object({ ...inPlace, ...container, ...deadlines })).properties,
  { title: "PodUpdate", additionalProperties: false },
);
export type PodUpdate = Static<typeof podUpdate>;
