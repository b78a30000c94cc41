// Schemas of the requests that create and change Pods over REST v2.

import Type, { type Static } from "typebox";
import { TAKES, wholeNumber } from "../../fields.ts";
import { podRequestFields } from "../../resource/pod.ts";
import { containerRequest, driver, networkMount, persistentMount } from "../container.ts";
import { closed, cudaVersion, name } from "../fields.ts";

export const mounts = closed(
  {
    persistent: Type.Optional(persistentMount),
    network: Type.Optional(
      Type.Array(networkMount, { maxItems: 1, [TAKES]: "a list of at most one network volume" }),
    ),
  },
  { title: "Mounts", description: "The Pod's own volume, or a network volume in its place." },
);

const gpu = closed(
  {
    id: Type.String({ minLength: 1, description: "The GPU type." }),
    count: Type.Optional(wholeNumber(1, { default: 1 })),
    allowedCudaVersions: Type.Optional(
      Type.Array(cudaVersion, { description: "Allowed CUDA versions; empty for any." }),
    ),
    minCudaVersion: Type.Optional(cudaVersion),
    minRamPerGpu: Type.Optional(wholeNumber(1, { description: "Memory in GB per GPU." })),
    minVcpuCountPerGpu: Type.Optional(wholeNumber(1)),
  },
  { title: "PodGpuAsk" },
);

export const cpuAsk = closed(
  {
    id: Type.String({ minLength: 1, description: "The CPU flavor." }),
    vcpuCount: wholeNumber(2, { description: "A power of two." }),
  },
  { title: "CpuAsk" },
);

export const flag = (description: string) =>
  Type.Optional(Type.Boolean({ default: false, description }));
const templateId = Type.Optional(
  Type.String({
    minLength: 1,
    description: "A template whose settings are copied; fields of the body replace them.",
  }),
);

const optionalFields = Type.Partial(Type.Object(podRequestFields)).properties;

export const podCreate = closed(
  {
    name,
    ...containerRequest,
    gpu: Type.Optional(gpu),
    cpu: Type.Optional(cpuAsk),
    cloud: Type.Optional(Type.Enum(["SECURE", "COMMUNITY"], { default: "SECURE" })),
    dataCenterIds: Type.Optional(
      Type.Array(Type.String(), { description: "Allowed data centers; empty for any." }),
    ),
    mounts: Type.Optional(mounts),
    globalNetworking: flag("Not offered."),
    startSsh: flag("Start the image's SSH server."),
    startJupyter: flag("Start the image's Jupyter."),
    templateId,
    ...optionalFields,
    driver: Type.Optional(driver),
  },
  { title: "PodCreate", description: "Exactly one of gpu and cpu is required." },
);
export type PodCreate = Static<typeof podCreate>;

export const podPatch = closed(
  {
    name: Type.Optional(name),
    ...containerRequest,
    mounts: Type.Optional(mounts),
    locked: Type.Optional(
      Type.Boolean({ description: "Whether the Pod refuses stop, restart and changes." }),
    ),
    globalNetworking: flag("Not offered."),
    templateId,
    ...optionalFields,
  },
  { title: "PodPatch" },
);
export type PodPatch = Static<typeof podPatch>;
