// Schemas of the requests that create and change endpoints.

import Type, { type Static } from "typebox";
import { CATALOG, idList, labels, name, partialUpdate, TAKES, wholeNumber } from "../../fields.ts";
import { type RetryPolicyInput, retryPolicySchema } from "../../queue/retry-policy.ts";

export const cudaVersion = Type.String({ examples: ["12.4"], [CATALOG]: "cudaVersions" });

export const computeType = Type.Enum(["GPU", "CPU"], {
  default: "GPU",
  description: "Whether workers run on GPUs or on CPUs.",
});

const retention = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    default: 0,
    [TAKES]: "0 for the default, or a number of milliseconds",
    description:
      `${description} An extension of Freehold. The operator sets the bounds, by default 1 s to 7 d. ` +
      "A change applies to jobs submitted after it.",
  });

/** Fields whose change takes effect in place. */
export const inPlaceFields = {
  executionTimeoutMs: Type.Integer({
    anyOf: [
      { type: "integer", minimum: 0, maximum: 0 },
      { type: "integer", minimum: 5_000, maximum: 604_800_000 },
    ],
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
export const releaseFields = {
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
    labels,
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
  partialUpdate(
    Type.Object({ name, labels, ...inPlaceFields, ...releaseFields, ...writeOnlyFields }),
  ).properties,
  { title: "EndpointUpdateInput", additionalProperties: false },
);
export type EndpointUpdate = Static<typeof endpointUpdate>;
