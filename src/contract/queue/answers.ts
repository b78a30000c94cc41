// What the queue answers with.

import Type from "typebox";

const id = Type.String({ description: "That of a job submitted by runsync begins with sync-." });

const status = Type.Enum([
  "IN_QUEUE",
  "IN_PROGRESS",
  "COMPLETED",
  "FAILED",
  "CANCELLED",
  "TIMED_OUT",
]);

export const queueJob = Type.Object(
  {
    id,
    status,
    output: Type.Optional(
      Type.Unknown({ description: "What the handler returned; while it runs, its progress." }),
    ),
    error: Type.Optional(Type.String({ description: "Why it ended otherwise, in a sentence." })),
    delayTime: Type.Optional(Type.Integer({ description: "Milliseconds it waited." })),
    executionTime: Type.Optional(Type.Integer({ description: "Milliseconds it ran." })),
    workerId: Type.Optional(Type.String()),
    retries: Type.Optional(Type.Integer({ description: "How often its worker was lost." })),
  },
  { title: "QueueJob" },
);

export const submitted = Type.Object(
  { id, status: Type.Enum(["IN_QUEUE"]) },
  { title: "SubmittedJob" },
);

const chunk = Type.Object(
  {
    output: Type.Unknown({ description: "One yield of the handler." }),
    metrics: Type.Object({}, { description: "What the worker posted beside it." }),
  },
  { title: "StreamChunk" },
);

export const stream = Type.Union(
  [Type.Array(chunk), Type.Object({ status, stream: Type.Array(chunk) })],
  { description: "A bare array, or an envelope with the job's status." },
);

export const purged = Type.Object(
  {
    removed: Type.Integer({ description: "Jobs that were queued." }),
    status: Type.Enum(["completed"]),
  },
  { title: "PurgeResult" },
);

const count = Type.Integer({ minimum: 0 });

const workerCounts = Type.Object({
  idle: count,
  initializing: count,
  ready: count,
  running: count,
  throttled: count,
  unhealthy: count,
});

export const health = Type.Object(
  {
    jobs: Type.Object({
      completed: count,
      failed: count,
      inProgress: count,
      inQueue: count,
      retried: count,
    }),
    workers: workerCounts,
  },
  { title: "EndpointHealth" },
);

export const metrics = Type.Object(
  { readyWorkers: Type.Array(Type.String()), workers: workerCounts },
  { title: "EndpointMetrics" },
);

export const requests = Type.Object(
  { requests: Type.Array(queueJob) },
  { title: "EndpointRequests" },
);
