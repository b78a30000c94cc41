// Jobs, and what submits them, as commands of their own.

import type { JobFilterInput } from "../../contract/rest-v1/job/job-filter.ts";
import { age, span } from "./cells.ts";
import { labeledFilter } from "./owner-column.ts";
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

export const jobResources: Record<string, Resource> = {
  jobs: resource({
    noun: "job",
    list: "GET /v1/jobs",
    get: "GET /v1/jobs/{jobId}",
    actions: {
      cancel: {
        route: "POST /v2/{endpointId}/cancel/{jobId}",
        about: "cancel jobs",
        done: "is cancelled",
        bulk: "cancel",
      },
      retry: {
        route: "POST /v1/jobs/{jobId}/retry",
        about: "retry failed jobs",
        done: "is queued again",
        bulk: "retry",
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
      limit: "at most so many (default: 100)",
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
        route: "POST /v1/schedules/{scheduleId}/pause",
        about: "pause schedules",
        done: "is paused",
      },
      resume: {
        route: "POST /v1/schedules/{scheduleId}/resume",
        about: "resume paused schedules",
        done: "is active",
      },
      run: {
        route: "POST /v1/schedules/{scheduleId}/run",
        about: "run schedules now",
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
    filters: { ...labeledFilter, endpointId: "of this endpoint" },
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
        route: "POST /v1/batches/{batchId}/cancel",
        about: "cancel the jobs of batches",
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
};
