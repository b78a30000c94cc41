// The resources that run and that are run, as commands of their own.

import type { JobFilterInput } from "../../contract/rest-v1/job/job-filter.ts";
import { age, dollars, hardware, podStatus, span } from "./cells.ts";
import { labeledFilter, ownerFilter } from "./owner-column.ts";
import { type Resource, resource } from "./resource.ts";

export const jobFilterTexts: Record<keyof JobFilterInput, string> = {
  endpointId: "of this endpoint",
  batchId: "of this batch",
  status: "IN_QUEUE, IN_PROGRESS, COMPLETED, FAILED, CANCELLED or TIMED_OUT",
  error: "whose error contains this text",
  since: "submitted since an instant, or within a duration such as 1h",
  until: "submitted before an instant, or before a duration until now",
  finishedAfter: "that ended since an instant, or within a duration such as 1h",
  finishedBefore: "that ended before an instant, or before a duration until now",
  quarantined: "true for jobs in quarantine, false for others",
  workerId: "of this worker",
  id: "whose id begins with this",
};

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
        ...{ route: "POST /v1/pods/{podId}/restart", about: "restart the containers of Pods" },
        done: "restarts",
      },
      keep: {
        ...{ route: "POST /v1/pods/{podId}/keep", about: "keep Pods for two hours more" },
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
  jobs: resource({
    noun: "job",
    list: "GET /v1/jobs",
    get: "GET /v1/jobs/{jobId}",
    actions: {
      cancel: {
        ...{ route: "POST /v2/{endpointId}/cancel/{jobId}", about: "cancel jobs" },
        ...{ done: "is cancelled", bulk: "cancel" },
      },
      retry: {
        ...{ route: "POST /v1/jobs/{jobId}/retry", about: "retry failed jobs" },
        ...{ done: "is queued again", bulk: "retry" },
      },
    },
    beginningIn: "id",
    columns: [
      ["ID", ({ id }) => id],
      ["ENDPOINT", ({ endpointId }) => endpointId],
      ["STATUS", ({ status }) => status],
      ["QUEUED", ({ delayTime }) => span(delayTime)],
      ["RAN", ({ executionTime }) => span(executionTime)],
      ["WORKER", ({ workerId }) => workerId],
      ["AGE", ({ submittedAt }) => age(submittedAt)],
      ["ERROR", ({ error }) => error],
    ],
    filters: {
      ...jobFilterTexts,
      before: "submitted before the job with this id",
      limit: "at most so many, 100",
    },
    schemas: async () => (await import("../../contract/rest-v1/job/job.ts")).jobOperations,
  }),
  schedule: resource({
    noun: "schedule",
    list: "GET /v1/schedules",
    get: "GET /v1/schedules/{scheduleId}",
    create: "POST /v1/schedules",
    update: "PATCH /v1/schedules/{scheduleId}",
    remove: "DELETE /v1/schedules/{scheduleId}",
    actions: {
      pause: {
        ...{ route: "POST /v1/schedules/{scheduleId}/pause", about: "pause schedules" },
        done: "is paused",
      },
      resume: {
        ...{ route: "POST /v1/schedules/{scheduleId}/resume", about: "resume paused schedules" },
        done: "is active",
      },
      run: {
        ...{ route: "POST /v1/schedules/{scheduleId}/run", about: "run schedules now" },
        done: ({ jobId }: { jobId: string }) => `submitted job ${jobId}`,
      },
    },
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["ENDPOINT", ({ endpointId }) => endpointId],
      ["CRON", ({ cron }) => cron],
      ["TIME ZONE", ({ timeZone }) => timeZone],
      ["STATUS", ({ status }) => status],
      ["NEXT RUN", ({ nextRuns }) => nextRuns[0]],
      ["LAST RUN", ({ lastRun }) => lastRun?.outcome],
      ["JOB", ({ lastRun }) => lastRun?.jobId],
    ],
    filters: { ...ownerFilter, endpointId: "of this endpoint" },
    schemas: async () =>
      (await import("../../contract/rest-v1/schedule/schedule.ts")).scheduleInputOperations,
  }),
  batch: resource({
    noun: "batch",
    plural: "batches",
    list: "GET /v1/batches",
    get: "GET /v1/batches/{batchId}",
    actions: {
      cancel: {
        ...{ route: "POST /v1/batches/{batchId}/cancel", about: "cancel the jobs of batches" },
        done: "is cancelled",
      },
    },
    columns: [
      ["ID", ({ id }) => id],
      ["ENDPOINT", ({ endpointId }) => endpointId],
      ["STATUS", ({ status }) => status],
      ["JOBS", ({ total }) => total],
      ["QUEUED", ({ counts }) => counts.inQueue],
      ["RUNNING", ({ counts }) => counts.inProgress],
      ["COMPLETED", ({ counts }) => counts.completed],
      ["FAILED", ({ counts }) => counts.failed + counts.timedOut],
      ["AGE", ({ createdAt }) => age(createdAt)],
    ],
    filters: { endpointId: "of this endpoint" },
    schemas: async () => (await import("../../contract/rest-v1/batch/batch.ts")).batchOperations,
  }),
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
    filters: { ended: "how many ended workers of each endpoint, 10" },
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
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["IMAGE", ({ imageName }) => imageName],
      ["FOR", ({ isServerless }) => (isServerless ? "endpoints" : "Pods")],
      ["DISK", ({ containerDiskInGb }) => `${containerDiskInGb} GB`],
    ],
    filters: {
      ...ownerFilter,
      includeEndpointBoundTemplates: "also templates that an endpoint uses",
      includePublicTemplates: "also public templates of other accounts",
      includeRunpodTemplates: "also official templates",
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
