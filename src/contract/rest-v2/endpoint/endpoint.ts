// Endpoints: a queue of jobs and the workers that process it.

import Type, { type Static } from "typebox";
import { createdBy, instant, labels, TAKES, wholeNumber } from "../../fields.ts";
import { containerRequest, containerView, driver } from "../container.ts";
import { closed, cudaVersion, name } from "../fields.ts";
import { cpuAsk } from "../pod/pod-write.ts";

const poolFields = {
  pools: Type.Array(Type.String(), {
    minItems: 1,
    [TAKES]: "a list of at least one GPU pool",
    description: "GPU pools whose types are allowed.",
  }),
  excludedTypes: Type.Optional(
    Type.Array(Type.String({ pattern: "^\\s*[^-\\s]", [TAKES]: "the id of a GPU type" }), {
      uniqueItems: true,
      [TAKES]: "a list of different GPU types",
      description: "GPU types in those pools that are not allowed.",
    }),
  ),
};
const count = wholeNumber(1, { description: "GPUs per worker." });
const cudaVersions = Type.Array(cudaVersion, { description: "Allowed CUDA versions." });

const gpuAsk = closed(
  {
    ...poolFields,
    count: Type.Optional({ ...count, default: 1 }),
    allowedCudaVersions: Type.Optional(cudaVersions),
    minCudaVersion: Type.Optional(cudaVersion),
  },
  { title: "EndpointGpuAsk" },
);

const gpuPatch = closed(
  {
    pools: Type.Optional(poolFields.pools),
    excludedTypes: poolFields.excludedTypes,
    count: Type.Optional(count),
    allowedCudaVersions: Type.Optional(cudaVersions),
    minCudaVersion: Type.Optional(
      Type.String({
        pattern: "^$|^\\d+\\.\\d+$",
        [TAKES]: 'a CUDA version such as "12.4", or an empty string',
      }),
    ),
  },
  { title: "EndpointGpuPatch" },
);

const scaling = Type.Union(
  [
    closed(
      {
        type: Type.Enum(["QUEUE_DELAY"]),
        queueDelay: Type.Number({ minimum: 0.5, description: "Target queue delay in seconds." }),
      },
      { title: "QueueDelayScaling" },
    ),
    closed(
      {
        type: Type.Enum(["REQUEST_COUNT"]),
        requestCount: wholeNumber(1, { description: "Jobs, or requests in flight, per worker." }),
      },
      { title: "RequestCountScaling" },
    ),
  ],
  { discriminator: { propertyName: "type" }, [TAKES]: "a JSON object with a type" },
);

const limits = {
  min: Type.Optional(wholeNumber(0, { description: "Default 0." })),
  max: Type.Optional(wholeNumber(0, { description: "Default 3." })),
  idleTimeout: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3_600,
      description:
        "Seconds before an idle worker is stopped; with QUEUE_DELAY or LOAD_BALANCER. Default 10.",
    }),
  ),
};
const workers = closed(limits, { title: "EndpointWorkerLimits" });

const timeout = Type.Integer({
  anyOf: [
    { type: "integer", minimum: 0, maximum: 0 },
    { type: "integer", minimum: 5_000, maximum: 604_800_000 },
  ],
  [TAKES]: "0 for no limit, or 5000 (5 s) to 604800000 (7 d) milliseconds",
  description: "Execution timeout of a job in milliseconds; 0 for no limit. Default 300000.",
});

const flashboot = Type.Enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"], {
  description: "Stored; it does not change how workers start. PRIORITY_FLASHBOOT is not offered.",
});

const cpu = Type.Array(cpuAsk, {
  minItems: 1,
  uniqueItems: true,
  [TAKES]: "a list of different CPU flavors",
  description: "CPU flavors in order of preference, all with one vcpuCount.",
});

const ids = (description: string) => Type.Array(Type.String(), { description });

const changeable = {
  ...containerRequest,
  driver: Type.Optional(driver),
  cpu: Type.Optional(cpu),
  workers: Type.Optional(workers),
  timeout: Type.Optional(timeout),
  flashboot: Type.Optional(flashboot),
  dataCenterIds: Type.Optional(ids("Allowed data centers; empty for any.")),
  networkVolumes: Type.Optional(ids("Network volumes, one per data center.")),
  labels: Type.Optional(labels),
  templateId: Type.Optional(
    Type.String({
      minLength: 1,
      description: "A template whose settings are copied; fields of the body replace them.",
    }),
  ),
};

const type = Type.Enum(["QUEUE", "LOAD_BALANCER"], {
  description:
    "QUEUE runs jobs; LOAD_BALANCER forwards HTTP requests to the workers. Fixed at creation.",
});

export const endpointCreate = closed(
  { name, type, scaling, gpu: Type.Optional(gpuAsk), ...changeable },
  { title: "EndpointCreate", description: "Exactly one of gpu and cpu is required." },
);
export type EndpointCreate = Static<typeof endpointCreate>;

export const endpointPatch = closed(
  {
    name: Type.Optional(name),
    scaling: Type.Optional(scaling),
    gpu: Type.Optional(gpuPatch),
    ...changeable,
  },
  { title: "EndpointPatch" },
);
export type EndpointPatch = Static<typeof endpointPatch>;

const url = Type.String();
const loadBalancerUrls = Type.Object(
  {
    base: Type.String({ description: "Every path and method below it goes to a worker." }),
    health: url,
  },
  { title: "LoadBalancerUrls" },
);
const queueUrls = Type.Object(
  {
    run: url,
    runSync: url,
    status: url,
    stream: url,
    cancel: url,
    retry: url,
    purgeQueue: url,
    health: url,
  },
  { title: "QueueUrls", description: "{job_id} stands for the id of a job." },
);

export const endpoint = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type,
    ...containerView,
    requestUrls: Type.Union([queueUrls, loadBalancerUrls]),
    gpu: Type.Optional(
      Type.Object(
        {
          pools: Type.Array(Type.String()),
          excludedTypes: Type.Array(Type.String()),
          count: Type.Integer(),
          allowedCudaVersions: Type.Array(Type.String()),
          minCudaVersion: Type.Union([Type.String(), Type.Null()]),
        },
        { title: "EndpointGpu" },
      ),
    ),
    cpu: Type.Optional(
      Type.Array(
        Type.Object({ id: Type.String(), vcpuCount: Type.Integer(), memory: Type.Integer() }),
      ),
    ),
    workers: Type.Object({
      min: Type.Integer(),
      max: Type.Integer(),
      idleTimeout: Type.Optional(Type.Integer()),
    }),
    scaling,
    timeout: Type.Integer(),
    flashboot,
    dataCenterIds: Type.Array(Type.String()),
    networkVolumes: Type.Array(Type.String()),
    createdAt: instant,
    createdBy: Type.Optional(createdBy),
    labels: Type.Optional({
      ...labels,
      description: "Absent without any. An extension of Freehold.",
    }),
  },
  { title: "Endpoint" },
);
export type Endpoint = Static<typeof endpoint>;
