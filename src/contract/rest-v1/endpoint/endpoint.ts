// Endpoints: a queue of jobs and the workers that process it.

import Type, { type Static } from "typebox";
import { createdBy, env, instant, labeledList, labels, name } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";
import { retryPolicySchema } from "../../queue/retry-policy.ts";
import { pod } from "../pod/pod.ts";
import { template } from "../template/template.ts";
import { endpointActivityOperations } from "./endpoint-activity.ts";
import { endpointHistoryOperations } from "./endpoint-history.ts";
import {
  computeType,
  cudaVersion,
  endpointCreate,
  endpointUpdate,
  inPlaceFields,
  releaseFields,
} from "./endpoint-write.ts";

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
    labels: Type.Optional({ ...labels, description: "Absent without any." }),
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
    query: Type.Object({
      ...labeledList.properties,
      ...includeFlags.properties,
    }),
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
      "A change of name, labels, executionTimeoutMs, resultRetentionMs, failureRetentionMs, deadLetterRetentionMs, retryPolicy, " +
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
