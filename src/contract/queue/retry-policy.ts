// The retry policy of a job, or of an endpoint's jobs. An extension of Freehold.

import Type, { type Static } from "typebox";

export const retryPolicySchema = Type.Object(
  {
    maxAttempts: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 3,
        description:
          "Attempts in total, the first one included. 1 means that no attempt is repeated.",
      }),
    ),
    on: Type.Optional(
      Type.Array(Type.Enum(["error", "workerLost", "outOfMemory", "timeout"]), {
        maxItems: 4,
        default: ["error", "workerLost", "outOfMemory", "timeout"],
        description:
          "Which outcomes are tried again: an error that the handler posted, a worker that was lost, a worker " +
          "that exceeded its memory limit or a posted error that says that memory ran out, an execution " +
          "timeout. Any other outcome ends the job.",
      }),
    ),
    delay: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 86_400,
        default: 5,
        description: "Seconds before the second attempt.",
      }),
    ),
    factor: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 10,
        default: 2,
        description: "Each further pause is this many times as long as the one before.",
      }),
    ),
    maxDelay: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 86_400,
        default: 300,
        description: "The longest pause in seconds.",
      }),
    ),
    jitter: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "With true, each pause is drawn at random between half of it and the whole, so that jobs that failed " +
          "together do not return together.",
      }),
    ),
    quarantineAfter: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description:
          "Quarantine the job once this many workers have ended while they had it: it fails with their ends as " +
          "evidence, and only a client can retry it. Omit for no quarantine.",
      }),
    ),
  },
  {
    title: "RetryPolicy",
    additionalProperties: false,
    description:
      "What follows an attempt that fails, instead of the default: a job whose worker is lost is dispatched once " +
      "more. A retry never begins after the job's time to live. An extension of Freehold.",
  },
);
export type RetryPolicyInput = Static<typeof retryPolicySchema>;
