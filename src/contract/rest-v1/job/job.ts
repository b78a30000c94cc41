// Jobs with their history. Operations of Freehold's own; clients submit and read jobs through the
// queue of an endpoint.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import { concurrencySchema } from "../../queue/concurrency.ts";
import { rateLimitSchema } from "../../queue/rate-limit.ts";
import { retryPolicySchema } from "../../queue/retry-policy.ts";
import { jobFilterFields, jobStatus } from "./job-filter.ts";

const summaryFields = {
  id: Type.String(),
  endpointId: Type.String(),
  status: jobStatus,
  sync: Type.Boolean({ description: "Whether the job was submitted with runsync." }),
  priority: Type.Integer(),
  lowPriority: Type.Boolean(),
  submittedAt: instant,
  runAt: Type.Optional({
    ...instant,
    description: "When a delayed job enters its queue. Present only while it is delayed.",
  }),
  heldBy: Type.Optional(
    Type.Enum(["concurrency", "rate"], {
      description: "What holds the job before it enters its queue. Present only while it is held.",
    }),
  ),
  startedAt: Type.Optional(instant),
  finishedAt: Type.Optional(instant),
  delayTime: Type.Optional(Type.Integer({ description: "Queue time in milliseconds." })),
  executionTime: Type.Optional(Type.Integer({ description: "Execution time in milliseconds." })),
  workerId: Type.Optional(
    Type.String({ description: "The worker that has the job or had it last." }),
  ),
  batchId: Type.Optional(Type.String({ description: "The batch that it was submitted with." })),
  batchIndex: Type.Optional(Type.Integer({ description: "Its item in the batch, from 0." })),
  keptUntil: Type.Optional({
    ...instant,
    description:
      "When a failed job is deleted that is kept beyond its retention. The queue's routes no longer show it.",
  }),
  retries: Type.Integer({ description: "How often the job went back to the queue." }),
  error: Type.Optional(Type.String()),
};

const jobSummary = Type.Object(
  {
    ...summaryFields,
    inputStart: Type.Optional(
      Type.String({
        description: "The first 200 characters of the input. Absent for an input that is long.",
      }),
    ),
    cost: Type.Number({ description: "Dollars: the time that workers held the job." }),
  },
  { title: "JobSummary" },
);
export type JobSummary = Static<typeof jobSummary>;

const attempt = Type.Object({
  n: Type.Integer(),
  workerId: Type.String(),
  takenAt: instant,
  endedAt: Type.Optional({ ...instant, description: "Absent while the worker has the job." }),
  outcome: Type.Optional(
    Type.String({ description: "How the attempt ended. Absent while the worker has the job." }),
  ),
});

const latePost = Type.Object({
  at: instant,
  workerId: Type.String(),
  kind: Type.String(),
  bytes: Type.Integer(),
  posts: Type.Integer({ description: "1; the last of 20 also counts the posts after it." }),
});

export const delivery = Type.Object({
  n: Type.Integer(),
  messageId: Type.String({ description: "The webhook-id header that the receiver gets." }),
  url: Type.String(),
  state: Type.Enum(["waiting", "delivered", "failed"]),
  createdAt: instant,
  dueAt: Type.Optional({ ...instant, description: "When the next try is due." }),
  tries: Type.Array(
    Type.Object({
      try: Type.Integer(),
      at: instant,
      status: Type.Optional(Type.Integer({ description: "The HTTP status of the response." })),
      error: Type.Optional(Type.String()),
      tookMs: Type.Integer(),
    }),
  ),
});

const detailFields = {
  story: Type.String({ description: "A one-line summary of the job's history." }),
  simulated: Type.Optional(
    Type.Boolean({
      description:
        "True if a simulated worker has the job or had it last, so that its image did not run. Absent otherwise, and " +
        "once the worker is forgotten, a day after its end.",
    }),
  ),
  cost: Type.Number({
    description:
      "Dollars: the time that workers held the job, at their price. Start and idle time of workers " +
      "is not part of any job's cost.",
  }),
  executionTimeoutMs: Type.Integer({ description: "Execution timeout in milliseconds." }),
  retry: Type.Optional(retryPolicySchema),
  concurrency: Type.Optional(concurrencySchema),
  rateLimit: Type.Optional(rateLimitSchema),
  expiresAt: instant,
  forgottenAt: Type.Optional({ ...instant, description: "When the result is deleted." }),
  webhook: Type.Optional(Type.String()),
  traceId: Type.Optional(
    Type.String({
      description:
        "The W3C trace that its spans belong to: its caller's, or one of its own where traces are exported.",
    }),
  ),
  chunks: Type.Integer({ description: "Number of streamed output chunks." }),
  chunksDelivered: Type.Integer(),
  attempts: Type.Array(attempt, {
    description: "Every time that a worker took the job, the present or last one included.",
  }),
  latePosts: Type.Array(latePost, {
    description: "Results that arrived after the job had ended, at most 20.",
  }),
  deliveries: Type.Array(delivery, { description: "Webhook deliveries." }),
};

export type Delivery = Static<typeof delivery>;

/** All members except input and output, which pass through unchanged. */
const jobFacts = Type.Object({ ...summaryFields, ...detailFields });
export type JobFacts = Static<typeof jobFacts>;

const job = Type.Object(
  {
    ...summaryFields,
    ...detailFields,
    input: Type.Unknown({ description: "The input, as it was submitted." }),
    output: Type.Optional(Type.Unknown({ description: "The output, as the worker posted it." })),
  },
  { title: "Job" },
);

const jobExportQuery = Type.Partial(
  Type.Object({
    ...jobFilterFields,
    format: Type.Enum(["jsonl", "csv"], {
      default: "jsonl",
      description: "One JSON object a line, or CSV with a header line.",
    }),
  }),
);
export type JobExportQuery = Static<typeof jobExportQuery>;

/** Jobs belong to the queue: a key without read permission on queues cannot read them. */
const read = { of: "queue", access: "read" } as const;

export const jobOperations = {
  listJobs: {
    method: "GET",
    path: "/v1/jobs",
    tag: "Jobs",
    summary: "List jobs",
    description:
      "Newest first, failures included that are kept beyond their retention. For the next page, pass the id of the last " +
      "job as `before`. `error`, `quarantined`, `finishedAfter` and `finishedBefore` search the 10,000 newest jobs of an " +
      "endpoint in each state.",
    needs: read,
    query: Type.Partial(
      Type.Object({
        ...jobFilterFields,
        before: Type.String({ description: "Only jobs submitted before the job with this id." }),
        limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
      }),
    ),
    answer: { status: 200, description: "The jobs.", schema: Type.Array(jobSummary) },
  },
  exportJobs: {
    method: "GET",
    path: "/v1/jobs/export",
    tag: "Jobs",
    summary: "Export all jobs that match a filter",
    description:
      "In the order of submission, failures included that are kept beyond their retention; jobs of deleted endpoints " +
      "are left out. A line of JSON has the members of a list's job, its input and its output. CSV has no input and no output.",
    needs: read,
    query: jobExportQuery,
    answer: { status: 200, description: "The jobs.", mediaType: "application/x-ndjson" },
  },
  getJob: {
    method: "GET",
    path: "/v1/jobs/{jobId}",
    tag: "Jobs",
    summary: "Read a job with its history",
    description: "Includes attempts, late results and webhook deliveries.",
    needs: read,
    answer: { status: 200, description: "The job.", schema: job },
  },
  retryJob: {
    method: "POST",
    path: "/v1/jobs/{jobId}/retry",
    tag: "Jobs",
    summary: "Retry a job",
    description:
      "Returns a FAILED or TIMED_OUT job to its queue, with its id, input and policy. Unlike the queue's retry, it " +
      "also retries a job that is kept beyond its retention.",
    needs: { of: "queue", access: "write" },
    answer: { status: 200, description: "The job in its queue.", schema: jobSummary },
  },
} as const satisfies Operations;
