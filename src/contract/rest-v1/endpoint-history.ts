// What happened to an endpoint's jobs over time.

import Type, { type Static } from "typebox";
import { instant } from "../fields.ts";
import type { Operations } from "../operation.ts";

const percentiles = Type.Object(
  { p50: Type.Integer(), p95: Type.Integer(), p99: Type.Integer() },
  { title: "Percentiles", description: "Milliseconds, to within a fifth." },
);

const some = (description: string) => Type.Union([percentiles, Type.Null()], { description });

export const historyPoint = Type.Object(
  {
    time: { ...instant, description: "When the bucket began." },
    queued: Type.Integer({ description: "Jobs that waited at its end, or wait now." }),
    running: Type.Integer({ description: "Jobs that ran at its end, or run now." }),
    completed: Type.Integer({ description: "Jobs that completed in it." }),
    failed: Type.Integer({ description: "Jobs that failed or timed out in it." }),
    delay: some("How long jobs had waited that a worker took in it. Null: none was taken."),
    execution: some("How long jobs had run that a worker finished in it. Null: none was."),
    coldStarts: Type.Integer({ description: "Workers that called for the first time in it." }),
    coldStartMs: Type.Union([Type.Integer(), Type.Null()], {
      description: "Milliseconds from their creation to that call, as the mean. Null: none called.",
    }),
  },
  { title: "EndpointHistoryPoint" },
);
export type HistoryPoint = Static<typeof historyPoint>;

export const endpointHistoryOperations = {
  getEndpointHistory: {
    method: "GET",
    path: "/v1/endpoints/{endpointId}/history",
    tag: "Endpoints",
    summary: "What happened to an endpoint's jobs in the last 24 hours",
    description:
      "Queue depth, throughput, waiting and execution times and cold starts, counted as they happen; " +
      "reading them costs the same however many jobs there were.",
    needs: { of: "rest", access: "read" },
    query: Type.Partial(
      Type.Object({
        bucketMinutes: Type.Integer({ minimum: 1, maximum: 60, default: 1 }),
        startTime: {
          ...instant,
          description: "24 hours ago at most, snapped down to its bucket; an hour before the end.",
        },
        endTime: {
          ...instant,
          description: "Exclusive, snapped up to its bucket; now if left out.",
        },
      }),
    ),
    answer: {
      status: 200,
      description: "A point for each bucket, the oldest first.",
      schema: Type.Array(historyPoint),
    },
  },
} as const satisfies Operations;
