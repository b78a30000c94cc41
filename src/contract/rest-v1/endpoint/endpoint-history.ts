// The history of an endpoint's jobs over time.

import Type from "typebox";
import { instant } from "../../fields.ts";
import { type Operations, read } from "../../operation.ts";

const percentiles = Type.Object(
  { p50: Type.Integer(), p95: Type.Integer(), p99: Type.Integer() },
  { title: "Percentiles", description: "Percentiles in milliseconds, accurate to 20%." },
);

const percentilesOrNull = (description: string) =>
  Type.Union([percentiles, Type.Null()], { description });

const historyPoint = Type.Object(
  {
    time: { ...instant, description: "Start of the bucket." },
    queued: Type.Integer({ description: "Queued jobs at the end of the bucket, or now." }),
    running: Type.Integer({ description: "Running jobs at the end of the bucket, or now." }),
    completed: Type.Integer({ description: "Jobs that completed in the bucket." }),
    failed: Type.Integer({ description: "Jobs that failed or timed out in the bucket." }),
    delay: percentilesOrNull("Queue time of jobs that a worker took in the bucket; null if none."),
    execution: percentilesOrNull(
      "Execution time of jobs that finished in the bucket; null if none.",
    ),
    coldStarts: Type.Integer({ description: "Workers that made their first call in the bucket." }),
    coldStartMs: Type.Union([Type.Integer(), Type.Null()], {
      description:
        "Mean milliseconds from a worker's creation to its first call; null if there was none.",
    }),
    statuses: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description:
          "Answers of a load-balancing endpoint by class of status, such as 2xx, and requests without an answer as " +
          "aborted. Its delay is the time to the first byte, its execution the time to the last one.",
      }),
    ),
  },
  { title: "EndpointHistoryPoint" },
);

export const endpointHistoryOperations = {
  getEndpointHistory: {
    method: "GET",
    path: "/v1/endpoints/{endpointId}/history",
    tag: "Endpoints",
    summary: "Read an endpoint's history of the last 24 hours",
    description:
      "Queue depth, throughput, queue and execution times, and cold starts. The cost of a read does " +
      "not depend on the number of jobs.",
    needs: read,
    query: Type.Partial(
      Type.Object({
        bucketMinutes: Type.Integer({ minimum: 1, maximum: 60, default: 1 }),
        startTime: {
          ...instant,
          description:
            "At most 24 hours ago; rounded down to a bucket. Default: an hour before the end.",
        },
        endTime: {
          ...instant,
          description: "Exclusive; rounded up to a bucket. Default: now.",
        },
      }),
    ),
    answer: {
      status: 200,
      description: "One point per bucket, oldest first.",
      schema: Type.Array(historyPoint),
    },
  },
} as const satisfies Operations;
