// Jobs as their owner looks back on them. Operations of ours; clients submit and read jobs through
// the queue of an endpoint.

import Type, { type Static } from "typebox";
import { instant } from "../fields.ts";
import type { Operations } from "../operation.ts";

const summary = {
  id: Type.String(),
  endpointId: Type.String(),
  status: Type.Enum(["IN_QUEUE", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"]),
  sync: Type.Boolean({ description: "Whether runsync submitted it." }),
  priority: Type.Integer(),
  lowPriority: Type.Boolean(),
  submittedAt: instant,
  startedAt: Type.Optional(instant),
  finishedAt: Type.Optional(instant),
  delayTime: Type.Optional(Type.Integer({ description: "Milliseconds it waited." })),
  executionTime: Type.Optional(Type.Integer({ description: "Milliseconds it ran." })),
  workerId: Type.Optional(Type.String({ description: "Who has it, or had it last." })),
  retries: Type.Integer({ description: "How often it went back to the queue." }),
  error: Type.Optional(Type.String()),
};

export const jobSummary = Type.Object(summary, { title: "JobSummary" });
export type JobSummary = Static<typeof jobSummary>;

const attempt = Type.Object({
  n: Type.Integer(),
  workerId: Type.String(),
  takenAt: instant,
  endedAt: instant,
  outcome: Type.String({ description: "Why the job went back." }),
});

const latePost = Type.Object({
  at: instant,
  workerId: Type.String(),
  kind: Type.String(),
  bytes: Type.Integer(),
});

export const delivery = Type.Object({
  n: Type.Integer(),
  messageId: Type.String({ description: "The webhook-id its receiver sees." }),
  url: Type.String(),
  state: Type.Enum(["waiting", "delivered", "failed"]),
  createdAt: instant,
  dueAt: Type.Optional({ ...instant, description: "When the next try is made." }),
  tries: Type.Array(
    Type.Object({
      try: Type.Integer(),
      at: instant,
      status: Type.Optional(Type.Integer({ description: "The HTTP status that came back." })),
      error: Type.Optional(Type.String()),
      tookMs: Type.Integer(),
    }),
  ),
});

const facts = {
  story: Type.String({ description: "What became of it, in one line." }),
  cost: Type.Number({
    description:
      "Dollars: the time that workers had it, at their price, whatever else they did meanwhile. " +
      "Their start and idle time is in none of their jobs' costs.",
  }),
  executionTimeoutMs: Type.Integer({ description: "How long it may run." }),
  expiresAt: instant,
  forgottenAt: Type.Optional({ ...instant, description: "When its result is dropped." }),
  webhook: Type.Optional(Type.String()),
  chunks: Type.Integer({ description: "Pieces of output that were streamed." }),
  chunksDelivered: Type.Integer(),
  attempts: Type.Array(attempt, { description: "Those that ended without the job ending." }),
  latePosts: Type.Array(latePost, { description: "Results that came after it had ended." }),
  deliveries: Type.Array(delivery, { description: "Calls of its webhook." }),
};

export type Delivery = Static<typeof delivery>;

/** All but input and output, which go out as they came in. */
export const jobFacts = Type.Object({ ...summary, ...facts });
export type JobFacts = Static<typeof jobFacts>;

export const job = Type.Object(
  {
    ...summary,
    ...facts,
    input: Type.Unknown({ description: "As it was submitted." }),
    output: Type.Optional(Type.Unknown({ description: "As the worker posted it." })),
  },
  { title: "Job" },
);

/** A job is the queue's: a key that may not read the queue may not read this. */
const read = { of: "queue", access: "read" } as const;

export const jobOperations = {
  listJobs: {
    method: "GET",
    path: "/v1/jobs",
    tag: "Jobs",
    summary: "List jobs",
    description: "The newest first. The next page is asked for with the id of the last job.",
    needs: read,
    query: Type.Partial(
      Type.Object({
        endpointId: Type.String({ description: "Only jobs of this endpoint." }),
        status: summary.status,
        before: Type.String({ description: "Only jobs submitted before the one with this id." }),
        limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
      }),
    ),
    answer: { status: 200, description: "The jobs.", schema: Type.Array(jobSummary) },
  },
  getJob: {
    method: "GET",
    path: "/v1/jobs/{jobId}",
    tag: "Jobs",
    summary: "Read a job's whole story",
    description: "Everything that is known of it: attempts, late results, webhook deliveries.",
    needs: read,
    answer: { status: 200, description: "The job.", schema: job },
  },
} as const satisfies Operations;
