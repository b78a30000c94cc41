// Bulk retries of failed jobs. Operations of Freehold's own.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const filterFields = {
  endpointId: Type.Optional(
    Type.String({
      minLength: 1,
      description: "Only jobs of this endpoint. Default: all endpoints.",
    }),
  ),
  status: Type.Optional(
    Type.Enum(["FAILED", "TIMED_OUT"], { description: "Only jobs in this state. Default: both." }),
  ),
  error: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Only jobs whose error contains this text, in any case.",
    }),
  ),
  finishedAfter: Type.Optional({
    ...instant,
    description: "Only jobs that ended at this instant or later.",
  }),
  finishedBefore: Type.Optional({
    ...instant,
    description: "Only jobs that ended before this instant.",
  }),
  includeQuarantined: Type.Optional(
    Type.Boolean({ default: false, description: "Retry jobs in quarantine, too." }),
  ),
};

const jobRetryCreate = Type.Object(filterFields, {
  title: "JobRetryCreateInput",
  additionalProperties: false,
});
export type JobRetryCreate = Static<typeof jobRetryCreate>;

const jobRetry = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum(["RUNNING", "COMPLETED", "CANCELLED"]),
    filter: Type.Object(filterFields),
    total: Type.Optional(
      Type.Integer({
        description: "How many jobs matched at the start. Absent until they are counted.",
      }),
    ),
    retried: Type.Integer({ description: "How many jobs have been returned to their queues." }),
    createdAt: instant,
    finishedAt: Type.Optional(instant),
  },
  { title: "JobRetry" },
);
export type JobRetryView = Static<typeof jobRetry>;

const onePath = "/v1/job-retries/{jobRetryId}";
const read = { of: "queue", access: "read" } as const;
const write = { of: "queue", access: "write" } as const;
const answer = { status: 200, description: "The bulk retry.", schema: jobRetry } as const;

export const jobRetryOperations = {
  createJobRetry: {
    method: "POST",
    path: "/v1/job-retries",
    tag: "Jobs",
    summary: "Retry all failed jobs that match a filter",
    description:
      "Starts a background operation that returns every FAILED or TIMED_OUT job that exists now and matches to its " +
      "queue, jobs that are kept beyond their retention included. It goes on after a restart and retries each job " +
      "once. Read it to follow its progress.",
    needs: write,
    body: jobRetryCreate,
    answer,
  },
  listJobRetries: {
    method: "GET",
    path: "/v1/job-retries",
    tag: "Jobs",
    summary: "List bulk retries",
    description: "The newest 100. A bulk retry is kept for 30 days after its end.",
    needs: read,
    answer: { status: 200, description: "The bulk retries.", schema: Type.Array(jobRetry) },
  },
  getJobRetry: {
    method: "GET",
    path: onePath,
    tag: "Jobs",
    summary: "Read a bulk retry and its progress",
    needs: read,
    answer,
  },
  cancelJobRetry: {
    method: "POST",
    path: `${onePath}/cancel`,
    tag: "Jobs",
    summary: "Cancel a bulk retry",
    description: "Jobs that it has retried stay in their queues.",
    needs: write,
    answer,
  },
} as const satisfies Operations;
