// Schemas of the queue's responses.

import Type from "typebox";

const id = Type.String({
  description: "The job's id. The id of a job submitted with runsync begins with sync-.",
});

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
      Type.Unknown({ description: "The handler's result; while the job runs, its progress." }),
    ),
    error: Type.Optional(
      Type.String({ description: "The reason for a job that did not complete." }),
    ),
    delayTime: Type.Optional(Type.Integer({ description: "Queue time in milliseconds." })),
    executionTime: Type.Optional(Type.Integer({ description: "Execution time in milliseconds." })),
    workerId: Type.Optional(Type.String()),
    retries: Type.Optional(
      Type.Integer({
        description: "How often the job went back to the queue because its worker was lost.",
      }),
    ),
  },
  { title: "QueueJob" },
);

export const submittedJob = Type.Object(
  { id, status: Type.Enum(["IN_QUEUE"]) },
  { title: "SubmittedJob" },
);

const chunk = Type.Object(
  {
    output: Type.Unknown({ description: "One value that the handler yielded." }),
    metrics: Type.Object({}, { description: "Metrics that the worker posted with the value." }),
  },
  { title: "StreamChunk" },
);

export const streamResult = Type.Union(
  [Type.Array(chunk), Type.Object({ status, stream: Type.Array(chunk) })],
  { description: "An array of chunks, or an envelope with the job's status and the chunks." },
);

export const purgeResult = Type.Object(
  {
    removed: Type.Integer({ description: "Number of queued jobs that were removed." }),
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
