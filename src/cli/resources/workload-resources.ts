// The resources that run and that are run, as commands of their own.

import type { ItemOf } from "../client/api.ts";
import { age, dollars, hardware, podStatus } from "./cells.ts";
import { jobResources } from "./job-resources.ts";
import { labeledFilter } from "./owner-column.ts";
import { type Resource, resource } from "./resource.ts";

export const workloadResources: Record<string, Resource> = {
  pods: resource({
    noun: "Pod",
    list: "GET /v1/pods",
    get: "GET /v1/pods/{podId}",
    create: "POST /v1/pods",
    update: "PATCH /v1/pods/{podId}",
    remove: "DELETE /v1/pods/{podId}",
    actions: {
      start: { route: "POST /v1/pods/{podId}/start", about: "start stopped Pods", done: "starts" },
      stop: { route: "POST /v1/pods/{podId}/stop", about: "stop Pods", done: "stops" },
      restart: {
        route: "POST /v1/pods/{podId}/restart",
        about: "restart the containers of Pods",
        done: "restarts",
      },
      keep: {
        route: "POST /v1/pods/{podId}/keep",
        about: "keep Pods for two hours more",
        done: "is kept",
      },
    },
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["STATUS", podStatus],
      ["HARDWARE", ({ gpuTypeId, gpuCount }) => hardware(gpuTypeId, gpuCount)],
      ["IMAGE", ({ imageName }) => imageName],
      ["COST/H", ({ adjustedCostPerHr }) => dollars(adjustedCostPerHr)],
      ["AGE", ({ createdAt }) => age(createdAt)],
    ],
    filters: {
      ...labeledFilter,
      desiredStatus: "RUNNING, EXITED or TERMINATED",
      name: "with this name",
      endpointId: "workers of this endpoint; needs --include-workers",
      gpuTypeId: "on this GPU type",
      imageName: "with this image",
      machineId: "on this machine",
      includeWorkers: "also workers of endpoints",
    },
    schemas: async () =>
      (await import("../../contract/rest-v1/pod/pod-operations.ts")).podOperations,
  }),
  endpoints: resource({
    noun: "endpoint",
    list: "GET /v1/endpoints",
    get: "GET /v1/endpoints/{endpointId}",
    create: "POST /v1/endpoints",
    update: "PATCH /v1/endpoints/{endpointId}",
    remove: "DELETE /v1/endpoints/{endpointId}",
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["TYPE", ({ type }) => type],
      ["COMPUTE", ({ computeType }) => computeType],
      ["WORKERS", ({ workersMin, workersMax }) => `${workersMin}-${workersMax}`],
      ["RELEASE", ({ version }) => version],
      ["AGE", ({ createdAt }) => age(createdAt)],
    ],
    filters: {
      ...labeledFilter,
      includeTemplate: "with the template of each, in JSON",
      includeWorkers: "with the workers of each, in JSON",
    },
    schemas: async () =>
      (await import("../../contract/rest-v1/endpoint/endpoint.ts")).endpointOperations,
  }),
  ...jobResources,
  workers: resource({
    noun: "worker",
    parent: "endpoints",
    list: "GET /v1/endpoints/{endpointId}/workers",
    get: "GET /v1/workers/{workerId}",
    columns: [
      ["ID", ({ id }) => id],
      ["ENDPOINT", ({ endpointId }) => endpointId],
      ["PHASE", ({ phase }) => phase],
      ["RELEASE", ({ version }) => version],
      ["JOBS", ({ jobs }) => jobs],
      ["SERVED", ({ served }) => served],
      ["AGE", ({ createdAt }) => age(createdAt)],
      ["REASON", ({ unhealthy, reason }) => unhealthy ?? reason],
    ],
    filters: { ended: "how many ended workers of each endpoint (default: 10)" },
    schemas: async () =>
      (await import("../../contract/rest-v1/endpoint/worker.ts")).workerOperations,
  }),
  templates: resource({
    noun: "template",
    list: "GET /v1/templates",
    get: "GET /v1/templates/{templateId}",
    create: "POST /v1/templates",
    update: "PATCH /v1/templates/{templateId}",
    remove: "DELETE /v1/templates/{templateId}",
    findIn: { includeEndpointBoundTemplates: true },
    alsoListed: { includeRunpodTemplates: true },
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["IMAGE", ({ imageName }) => imageName],
      ["FOR", ({ isServerless }) => (isServerless ? "endpoints" : "Pods")],
      ["DISK", ({ containerDiskInGb }) => `${containerDiskInGb} GB`],
      ["SOURCE", sourceOfTemplate],
    ],
    filters: {
      ...labeledFilter,
      includeEndpointBoundTemplates: "also templates that an endpoint uses",
      includePublicTemplates: "also public templates of other accounts",
    },
    schemas: async () =>
      (await import("../../contract/rest-v1/template/template.ts")).templateOperations,
  }),
  volumes: resource({
    noun: "network volume",
    list: "GET /v1/networkvolumes",
    get: "GET /v1/networkvolumes/{networkVolumeId}",
    create: "POST /v1/networkvolumes",
    update: "PATCH /v1/networkvolumes/{networkVolumeId}",
    remove: "DELETE /v1/networkvolumes/{networkVolumeId}",
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["SIZE", ({ size }) => `${size} GB`],
      ["DATA CENTER", ({ dataCenterId }) => dataCenterId],
    ],
    filters: { ...labeledFilter, includeUse: "with the use of each, in JSON" },
    schemas: async () =>
      (await import("../../contract/rest-v1/storage/network-volume.ts")).networkVolumeOperations,
  }),
  gpus: resource({
    noun: "GPU type",
    list: "GET /v1/catalog/gpu-types",
    columns: [
      ["ID", ({ id }) => id],
      ["MEMORY", ({ memoryInGb }) => `${memoryInGb} GB`],
      ["POD/H", ({ securePrice }) => dollars(securePrice)],
      ["SPOT/H", ({ secureSpotPrice }) => dollars(secureSpotPrice)],
      ["WORKER/H", ({ serverlessPrice }) => dollars(serverlessPrice)],
    ],
    schemas: async () =>
      (await import("../../contract/rest-v1/machine/catalog.ts")).catalogOperations,
  }),
  clusters: resource({
    noun: "cluster",
    list: "GET /v2/clusters",
    get: "GET /v2/clusters/{clusterId}",
    create: "POST /v2/clusters",
    update: "PATCH /v2/clusters/{clusterId}",
    remove: "DELETE /v2/clusters/{clusterId}",
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["TYPE", ({ type }) => type],
      ["PODS", ({ compute }) => compute.podCount],
      ["GPUS OF EACH", ({ compute }) => hardware(compute.gpuTypeId, compute.gpuCountPerPod)],
      ["STATUS", ({ pods }) => countsIn(pods.byStatus)],
      ["AGE", ({ createdAt }) => age(createdAt)],
    ],
    filters: labeledFilter,
    schemas: async () =>
      (await import("../../contract/rest-v2/cluster/cluster-operations.ts")).clusterOperations,
  }),
  sandboxes: resource({
    noun: "sandbox",
    plural: "sandboxes",
    list: "GET /v2/sandboxes",
    get: "GET /v2/sandboxes/{sandboxId}",
    create: "POST /v2/sandboxes",
    update: "PATCH /v2/sandboxes/{sandboxId}",
    remove: "DELETE /v2/sandboxes/{sandboxId}",
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["STATUS", ({ state }) => state],
      ["IMAGE", ({ imageName }) => imageName],
      ["COST/H", ({ compute }) => compute && dollars(compute.costPerHr)],
      ["AGE", ({ createdAt }) => age(createdAt)],
    ],
    filters: {
      ...labeledFilter,
      state: "CREATING, RUNNING, TERMINATED or FAILED",
    },
    schemas: async () =>
      (await import("../../contract/rest-v2/sandbox/sandbox-operations.ts")).sandboxOperations,
  }),
};

/** {"RUNNING": 2, "EXITED": 1} as "2 RUNNING, 1 EXITED". */
function countsIn(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([state, count]) => `${count} ${state}`)
    .join(", ");
}

/** A public template is the account's own or, in a list with those of others, another account's. */
function sourceOfTemplate({ isRunpod, isPublic }: ItemOf<"GET /v1/templates">): string {
  if (isRunpod) return "official";
  return isPublic ? "public" : "account";
}
