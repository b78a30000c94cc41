// Endpoints: a queue of jobs and the workers that process it.

import Type, { type Static } from "typebox";
import {
  CATALOG,
  createdBy,
  env,
  idList,
  instant,
  name,
  ownedList,
  partialUpdate,
  TAKES,
  wholeNumber,
} from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import { type RetryPolicyInput, retryPolicySchema } from "../../queue/retry-policy.ts";
import { pod } from "../pod/pod.ts";
import { template } from "../template/template.ts";
import { endpointActivityOperations } from "./endpoint-activity.ts";
import { endpointHistoryOperations } from "./endpoint-history.ts";

const cudaVersion = Type.String({ examples: ["12.4"], [CATALOG]: "cudaVersions" });

const computeType = Type.Enum(["GPU", "CPU"], {
  default: "GPU",
  description: "Whether workers run on GPUs or on CPUs.",
});

const retention = (description: string) =>
  Type.Integer({
    anyOf: [{ const: 0 }, { minimum: 1, maximum: 2_147_483_647 }],
    default: 0,
    [TAKES]: "0 for the default, or a number of milliseconds",
    description:
      `${description} An extension of Freehold. The operator sets the bounds, by default 1 s to 7 d. ` +
      "A change applies to jobs submitted after it.",
  });

/** Fields whose change takes effect in place. */
const inPlaceFields = {
  executionTimeoutMs: Type.Integer({
    anyOf: [{ const: 0 }, { minimum: 5_000, maximum: 604_800_000 }],
    default: 600_000,
    [TAKES]: "0 for no limit, or 5000 (5 s) to 604800000 (7 d) milliseconds",
    description: "Execution timeout of a job in milliseconds: 0 for no limit, or 5 s to 7 d.",
  }),
  resultRetentionMs: retention(
    "Milliseconds for which the result of a completed job is kept; 0 for the default: 30 minutes " +
      "for run, 1 minute for runsync, 5 minutes for runsync with wait.",
  ),
  failureRetentionMs: retention(
    "Milliseconds for which a job is kept that failed, timed out or was cancelled; 0 for the " +
      "default, the same as for results.",
  ),
  deadLetterRetentionMs: wholeNumber(0, {
    default: 604_800_000,
    description:
      "Milliseconds from its end for which a job that failed or timed out is kept, with its input and attempts, so " +
      "that it can be retried over /v1/jobs; 0 for no longer than failureRetentionMs. It does not change what the " +
      "queue's routes answer. An extension of Freehold.",
  }),
  // Not a union: an error in a member names the member.
  retryPolicy: Type.Unsafe<RetryPolicyInput | null>({
    ...retryPolicySchema,
    title: "EndpointRetryPolicy",
    type: ["object", "null"],
    default: null,
    description:
      "The retry policy of jobs without a policy.retry of their own; null for the default: a job whose worker is " +
      "lost is dispatched once more. An extension of Freehold. A change applies to jobs submitted after it.",
  }),
  flashboot: Type.Boolean({
    default: true,
    description: "Accepted for compatibility; it does not change how workers start.",
  }),
  idleTimeout: Type.Integer({
    minimum: 1,
    maximum: 3600,
    default: 5,
    description: "Seconds before an idle worker is stopped.",
  }),
  scalerType: Type.Enum(["QUEUE_DELAY", "REQUEST_COUNT"], {
    default: "QUEUE_DELAY",
    description: "Scale by queue delay or by number of jobs.",
  }),
  scalerValue: wholeNumber(1, {
    default: 4,
    description: "Target queue delay in seconds, or jobs per worker.",
  }),
  workersMax: wholeNumber(0, {
    default: 3,
    description: "Maximum number of workers; 0 drains the endpoint.",
  }),
  workersMin: wholeNumber(0, { default: 0, description: "Minimum number of workers." }),
};

/** Fields whose change is a release and needs new workers. */
const releaseFields = {
  allowedCudaVersions: Type.Array(cudaVersion, {
    default: [],
    description: "Allowed CUDA versions of the machine; empty for any.",
  }),
  dataCenterIds: idList("Allowed data centers of workers; empty for any.", "dataCenters"),
  gpuCount: wholeNumber(0, {
    default: 1,
    description: "GPUs per worker, from 1 up; 0 with computeType CPU.",
    [TAKES]: "a whole number from 1 up",
  }),
  gpuTypeIds: idList("GPU types in order of preference; empty for any.", "gpuTypes"),
  minCudaVersion: Type.Union([cudaVersion, Type.Null()], {
    [TAKES]: 'a CUDA version such as "12.4", or null for any',
    description: "Minimum CUDA version of the machine.",
  }),
  networkVolumeIds: idList(
    "Network volumes, one per data center. A worker mounts the one in its data center at /runpod-volume.",
  ),
  modelReferences: idList(
    "Models of the Hugging Face Hub, as owner/name, owner/name:revision or the address of a model, 8 at most. " +
      "Each machine downloads a model once; workers read it in their Hugging Face cache.",
  ),
  templateId: Type.String({ minLength: 1, description: "The template that workers run." }),
};

const writeOnlyFields = {
  cpuFlavorIds: idList("CPU flavors in order of preference, for computeType CPU.", "workerFlavors"),
  vcpuCount: wholeNumber(1, {
    default: 2,
    description: "Virtual CPUs per worker, for computeType CPU.",
  }),
  networkVolumeId: Type.Union([Type.String(), Type.Null()], {
    [TAKES]: "a string or null",
    description:
      "One network volume, as an alternative to networkVolumeIds; null or empty for none.",
  }),
  type: Type.Enum(["QB", "LB"], {
    default: "QB",
    description:
      "QB has a queue of jobs; LB forwards HTTP requests to the workers. Fixed at creation.",
  }),
};

const { templateId, ...optionalReleaseFields } = releaseFields;
const optional = Type.Partial(
  Type.Object({
    name,
    computeType,
    ...inPlaceFields,
    ...optionalReleaseFields,
    ...writeOnlyFields,
  }),
);

export const endpointCreate = Type.Object(
  { templateId, ...optional.properties },
  { title: "EndpointCreateInput", additionalProperties: false },
);
export type EndpointCreate = Static<typeof endpointCreate>;

export const endpointUpdate = Type.Object(
  partialUpdate(Type.Object({ name, ...inPlaceFields, ...releaseFields, ...writeOnlyFields }))
    .properties,
  { title: "EndpointUpdateInput", additionalProperties: false },
);
export type EndpointUpdate = Static<typeof endpointUpdate>;

const endpoint = Type.Object(
  {
    id: Type.String(),
    name,
    type: Type.Enum(["QB", "LB"], { description: "QB has a queue of jobs; LB takes requests." }),
    requestUrl: Type.Optional(
      Type.String({
        description:
          "The address of an LB endpoint: by path if the request went to an IP address, else by name.",
      }),
    ),
    userId: Type.String({ description: "The account of the endpoint." }),
    version: Type.Integer({ description: "Increases with every release." }),
    createdAt: instant,
    createdBy: Type.Optional(createdBy),
    computeType,
    cpuFlavorIds: Type.Optional(
      Type.Array(Type.String(), { description: "CPU flavors in order of preference, on CPUs." }),
    ),
    vcpuCount: Type.Optional(Type.Integer({ description: "Virtual CPUs per worker, on CPUs." })),
    ...inPlaceFields,
    flashBootType: Type.Enum(["FLASHBOOT", "OFF"], { description: "The same as flashboot." }),
    ...releaseFields,
    retryPolicy: Type.Optional(retryPolicySchema),
    minCudaVersion: Type.Optional(cudaVersion),
    networkVolumeId: Type.Optional(Type.String({ description: "The first of networkVolumeIds." })),
    gpuIds: Type.String({ description: "gpuTypeIds as a comma-separated list of pools." }),
    locations: Type.String({
      description: "dataCenterIds as a comma-separated list; empty for any.",
    }),
    instanceIds: Type.Array(Type.String(), {
      description: "CPU instances, in the form flavor-vcpus-memory.",
    }),
    env,
    template: Type.Optional(template),
    workers: Type.Optional(Type.Array(pod)),
  },
  { title: "Endpoint" },
);
export type Endpoint = Static<typeof endpoint>;

const endpointCost = Type.Object(
  {
    spent: Type.Number({
      description:
        "Dollars since the endpoint was created, including start and idle time of workers.",
    }),
    spendPerHr: Type.Number({ description: "Current cost of the workers in dollars per hour." }),
    jobs: Type.Integer({
      description: "Jobs that completed or failed since the endpoint was created.",
    }),
    per1000Jobs: Type.Optional(Type.Number({ description: "Dollars per 1,000 jobs." })),
  },
  { title: "EndpointCost" },
);

const flag = (description: string) => Type.Boolean({ default: false, description });
const includeFlags = Type.Partial(
  Type.Object({
    includeTemplate: flag("Include the template."),
    includeWorkers: flag("Include the workers that have not ended."),
  }),
);

const endpointPath = "/v1/endpoints/{endpointId}";
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
    query: Type.Object({ ...ownedList.properties, ...includeFlags.properties }),
    answer: { status: 200, description: "The endpoints.", schema: Type.Array(endpoint) },
  },
  getEndpoint: {
    method: "GET",
    path: endpointPath,
    tag: "Endpoints",
    summary: "Read an endpoint",
    needs: read,
    query: includeFlags,
    answer,
  },
  getEndpointCost: {
    method: "GET",
    path: `${endpointPath}/cost`,
    tag: "Endpoints",
    summary: "Read an endpoint's cost",
    needs: read,
    answer: { status: 200, description: "The cost.", schema: endpointCost },
  },
  ...endpointHistoryOperations,
  ...endpointActivityOperations,
  updateEndpoint: {
    method: "PATCH",
    path: endpointPath,
    also: [{ method: "POST", path: `${endpointPath}/update` }],
    tag: "Endpoints",
    summary: "Change an endpoint",
    description:
      "A change of name, executionTimeoutMs, resultRetentionMs, failureRetentionMs, deadLetterRetentionMs, retryPolicy, " +
      "flashboot, idleTimeout, scalerType, scalerValue, workersMax or workersMin takes effect in place. Any other change is a release: the version " +
      "increases, and new workers replace the old ones as they finish.",
    needs: write,
    body: endpointUpdate,
    answer,
  },
  rollBackEndpoint: {
    method: "POST",
    path: `${endpointPath}/releases/{version}/rollback`,
    tag: "Endpoints",
    summary: "Roll an endpoint back to an earlier release",
    description:
      "Makes a new release with the image, entrypoint, command, environment variables, driver, registry credentials, " +
      "container disk, network volumes and models of the earlier one. Hardware, scaling, timeouts, retention and " +
      "retries stay. If the template differs, the endpoint gets a copy of its own.",
    needs: write,
    answer,
  },
  deleteEndpoint: {
    method: "DELETE",
    path: endpointPath,
    tag: "Endpoints",
    summary: "Delete an endpoint",
    description:
      "Always succeeds. Queued jobs end as CANCELLED, running jobs can finish, and workers drain.",
    needs: write,
    answer: { status: 204, description: "The endpoint is deleted." },
  },
} as const satisfies Operations;
