// Endpoints: a queue of jobs and the workers that serve it.

import Type, { type Static } from "typebox";
import { changesOf, env, instant, name, TAKES, whole } from "../fields.ts";
import type { Operations } from "../operation.ts";
import { endpointHistoryOperations } from "./endpoint-history.ts";
import { pod } from "./pod.ts";
import { template } from "./template.ts";

const ids = (description: string) => Type.Array(Type.String(), { default: [], description });

const cudaVersion = Type.String({ examples: ["12.4"] });

const computeType = Type.Enum(["GPU", "CPU"], {
  default: "GPU",
  description: "What its workers compute on.",
});

/** What takes effect in place. */
const inPlace = {
  executionTimeoutMs: Type.Integer({
    anyOf: [{ const: 0 }, { minimum: 5_000, maximum: 604_800_000 }],
    default: 600_000,
    [TAKES]: "0 for no limit, or 5000 (5 s) to 604800000 (7 d) milliseconds",
    description: "How long a job may run, in milliseconds: 0 for no limit, or 5 s to 7 d.",
  }),
  flashboot: Type.Boolean({
    default: true,
    description: "Kept for clients; a worker here starts the same either way.",
  }),
  idleTimeout: Type.Integer({
    minimum: 1,
    maximum: 3600,
    default: 5,
    description: "Seconds that a worker without a job is kept.",
  }),
  scalerType: Type.Enum(["QUEUE_DELAY", "REQUEST_COUNT"], {
    default: "QUEUE_DELAY",
    description: "Whether workers are added for jobs that wait too long, or for each few jobs.",
  }),
  scalerValue: whole(1, {
    default: 4,
    description: "Seconds that a job may wait, or jobs for each worker.",
  }),
  workersMax: whole(0, { default: 3, description: "Never more workers than this; 0 drains." }),
  workersMin: whole(0, { default: 0, description: "Always at least this many workers." }),
};

/** What needs new workers. */
const released = {
  allowedCudaVersions: Type.Array(cudaVersion, {
    default: [],
    description: "CUDA versions that a machine may have; empty for any.",
  }),
  dataCenterIds: ids("Where workers may run; empty for anywhere."),
  gpuCount: whole(1, { default: 1, description: "GPUs for each worker." }),
  gpuTypeIds: ids("GPU types in the order of preference; empty for any."),
  minCudaVersion: Type.Union([cudaVersion, Type.Null()], {
    [TAKES]: 'a CUDA version such as "12.4", or null for any',
    description: "The least CUDA version that a machine may have.",
  }),
  networkVolumeIds: ids(
    "Network volumes, one for each data center; a worker mounts the one that is where it runs, at /runpod-volume.",
  ),
  templateId: Type.String({ minLength: 1, description: "What its workers run." }),
};

const writeOnly = {
  cpuFlavorIds: ids("CPU flavors in the order of preference, for computeType CPU."),
  vcpuCount: whole(1, { default: 2, description: "Virtual CPUs for each worker on CPUs." }),
  networkVolumeId: Type.Union([Type.String(), Type.Null()], {
    [TAKES]: "a string or null",
    description: "The same as networkVolumeIds for one alone; null or empty for none.",
  }),
  modelReferences: ids("Not offered yet: leave it out or empty."),
  type: Type.Enum(["QB", "LB"], {
    default: "QB",
    description: "QB has a queue. LB, which balances load, is not offered yet.",
  }),
};

const { templateId, ...others } = released;
const optional = Type.Partial(
  Type.Object({ name, computeType, ...inPlace, ...others, ...writeOnly }),
);

export const endpointCreate = Type.Object(
  { templateId, ...optional.properties },
  { title: "EndpointCreate", additionalProperties: false },
);
export type EndpointCreate = Static<typeof endpointCreate>;

export const endpointUpdate = Type.Object(
  changesOf(Type.Object({ name, ...inPlace, ...released, ...writeOnly })).properties,
  { title: "EndpointUpdate", additionalProperties: false },
);
export type EndpointUpdate = Static<typeof endpointUpdate>;

export const endpoint = Type.Object(
  {
    id: Type.String(),
    name,
    userId: Type.String({ description: "The account it belongs to." }),
    version: Type.Integer({ description: "Rises with every release." }),
    createdAt: instant,
    computeType,
    ...inPlace,
    flashBootType: Type.Enum(["FLASHBOOT", "OFF"], { description: "The same as flashboot." }),
    ...released,
    minCudaVersion: Type.Optional(cudaVersion),
    networkVolumeId: Type.Optional(Type.String({ description: "The first of them." })),
    gpuIds: Type.String({ description: "gpuTypeIds as pools by commas." }),
    locations: Type.String({ description: "dataCenterIds by commas; empty for anywhere." }),
    instanceIds: Type.Array(Type.String(), { description: "CPU instances: flavor-vcpus-memory." }),
    modelReferences: Type.Array(Type.String()),
    env,
    template: Type.Optional(template),
    workers: Type.Optional(Type.Array(pod)),
  },
  { title: "Endpoint" },
);
export type Endpoint = Static<typeof endpoint>;

export const endpointCost = Type.Object(
  {
    spent: Type.Number({
      description: "Dollars, since it was made: all time of its workers, start and idle time too.",
    }),
    spendPerHr: Type.Number({ description: "Dollars per hour, of the workers that run now." }),
    jobs: Type.Integer({ description: "Jobs that completed or failed in that time." }),
    per1000Jobs: Type.Optional(
      Type.Number({ description: "Dollars: what was spent, for a thousand of those jobs." }),
    ),
  },
  { title: "EndpointCost" },
);
export type EndpointCost = Static<typeof endpointCost>;

const flag = (description: string) => Type.Boolean({ default: false, description });
const including = Type.Partial(
  Type.Object({
    includeTemplate: flag("Also its template."),
    includeWorkers: flag("Also its workers that have not ended."),
  }),
);

const one = "/v1/endpoints/{endpointId}";
const read = { of: "rest", access: "read" } as const;
const write = { of: "rest", access: "write" } as const;
const answer = { status: 200, description: "The endpoint.", schema: endpoint } as const;

export const endpointOperations = {
  createEndpoint: {
    method: "POST",
    path: "/v1/endpoints",
    tag: "Endpoints",
    summary: "Create an endpoint",
    needs: write,
    body: endpointCreate,
    once: true,
    answer,
  },
  listEndpoints: {
    method: "GET",
    path: "/v1/endpoints",
    tag: "Endpoints",
    summary: "List endpoints",
    needs: read,
    query: including,
    answer: { status: 200, description: "The endpoints.", schema: Type.Array(endpoint) },
  },
  getEndpoint: {
    method: "GET",
    path: one,
    tag: "Endpoints",
    summary: "Read an endpoint",
    needs: read,
    query: including,
    answer,
  },
  getEndpointCost: {
    method: "GET",
    path: `${one}/cost`,
    tag: "Endpoints",
    summary: "What an endpoint cost so far, and for 1,000 jobs",
    needs: read,
    answer: { status: 200, description: "Its cost.", schema: endpointCost },
  },
  ...endpointHistoryOperations,
  updateEndpoint: {
    method: "PATCH",
    path: one,
    also: [{ method: "POST", path: `${one}/update` }],
    tag: "Endpoints",
    summary: "Change an endpoint",
    description:
      "A change of name, executionTimeoutMs, flashboot, idleTimeout, scalerType, scalerValue, " +
      "workersMax or workersMin takes effect in place. Any other is a release: the version rises " +
      "and new workers take the place of the old ones as those finish.",
    needs: write,
    body: endpointUpdate,
    answer,
  },
  deleteEndpoint: {
    method: "DELETE",
    path: one,
    tag: "Endpoints",
    summary: "Delete an endpoint",
    description:
      "Always succeeds. What is queued ends CANCELLED, what runs may finish, and workers drain.",
    needs: write,
    answer: { status: 204, description: "It is gone." },
  },
} as const satisfies Operations;
