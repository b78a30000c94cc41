// Operations on all jobs that match a filter. Operations of Freehold's own.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import { jobFilterSchema } from "./job-filter.ts";

const action = Type.Enum(["retry", "cancel"], {
  description:
    "retry returns FAILED and TIMED_OUT jobs to their queues; cancel cancels jobs that wait or run. Matching jobs in " +
    "other states are left alone.",
});

const jobOperationCreate = Type.Object(
  { action, filter: jobFilterSchema },
  { title: "JobOperationCreateInput", additionalProperties: false },
);

const jobOperation = Type.Object(
  {
    id: Type.String(),
    action,
    status: Type.Enum(["RUNNING", "COMPLETED", "CANCELLED"]),
    filter: jobFilterSchema,
    total: Type.Optional(
      Type.Integer({
        description: "How many jobs matched at the start. Absent until they are counted.",
      }),
    ),
    done: Type.Integer({ description: "How many jobs it has changed." }),
    createdAt: instant,
    finishedAt: Type.Optional(instant),
  },
  { title: "JobOperation" },
);
export type JobOperationView = Static<typeof jobOperation>;

const onePath = "/v1/job-operations/{jobOperationId}";
const read = { of: "queue", access: "read" } as const;
const write = { of: "queue", access: "write" } as const;
const answer = { status: 200, description: "The operation.", schema: jobOperation } as const;

export const bulkOperations = {
  createJobOperation: {
    method: "POST",
    path: "/v1/job-operations",
    tag: "Jobs",
    summary: "Retry or cancel all jobs that match a filter",
    description:
      "Starts a background operation on every matching job that exists now, failures included that are kept beyond " +
      "their retention. It goes on after a restart and changes each job once. Read it to follow its progress. A retry " +
      "leaves jobs in quarantine out unless the filter has quarantined: true.",
    needs: write,
    body: jobOperationCreate,
    once: true,
    answer,
  },
  listJobOperations: {
    method: "GET",
    path: "/v1/job-operations",
    tag: "Jobs",
    summary: "List operations on jobs",
    description: "The newest 100. An operation is kept for 30 days after its end.",
    needs: read,
    answer: { status: 200, description: "The operations.", schema: Type.Array(jobOperation) },
  },
  getJobOperation: {
    method: "GET",
    path: onePath,
    tag: "Jobs",
    summary: "Read an operation on jobs and its progress",
    needs: read,
    answer,
  },
  cancelJobOperation: {
    method: "POST",
    path: `${onePath}/cancel`,
    tag: "Jobs",
    summary: "Stop an operation on jobs",
    description: "Jobs that it has changed stay as they are.",
    needs: write,
    answer,
  },
} as const satisfies Operations;
