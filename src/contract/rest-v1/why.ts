// Why a job, a worker or an endpoint is as it is. An operation of ours.

import Type, { type Static } from "typebox";
import { instant } from "../fields.ts";
import type { Operations } from "../operation.ts";

const count = Type.Integer({ minimum: 0 });

const ending = Type.Object({
  workerId: Type.String(),
  endedAt: instant,
  exitCode: Type.Union([Type.Integer(), Type.Null()]),
  signal: Type.Union([Type.String(), Type.Null()]),
  cause: Type.Optional(Type.String({ description: "One of the codes, where it is certain." })),
  unhealthy: Type.Union([Type.String(), Type.Null()], {
    description: "What it, or the service, said of it before it ended.",
  }),
});

const evidence = Type.Partial(
  Type.Object({
    jobsAhead: Type.Integer({ description: "Jobs before this one in its queue." }),
    queue: Type.Object({
      waiting: count,
      waitingLowPriority: count,
      oldestWaitingMs: Type.Union([count, Type.Null()]),
    }),
    workers: Type.Object({
      starting: count,
      idle: count,
      busy: count,
      draining: count,
      unhealthy: count,
      workersMax: count,
    }),
    ends: Type.Array(ending, {
      description: "Workers that ended before they finished a job, the latest first.",
    }),
    startAllowedAt: { ...instant, description: "No worker is started before this instant." },
    log: Type.Object(
      { workerId: Type.String(), lines: Type.Array(Type.String()) },
      { description: "The last lines that a worker or a Pod printed." },
    ),
    jobs: Type.Array(Type.String(), { description: "Ids of the jobs that the worker has." }),
    attempts: Type.Array(
      Type.Object({
        workerId: Type.String(),
        takenAt: instant,
        endedAt: instant,
        outcome: Type.String(),
      }),
    ),
    latePosts: Type.Array(
      Type.Object({
        at: instant,
        workerId: Type.String(),
        kind: Type.String(),
        bytes: Type.Integer(),
      }),
    ),
    error: Type.String(),
    cause: Type.String({ description: "Why a Pod could not be started, in one word." }),
  }),
  { description: "What the sentence rests on; only what bears on it is there." },
);

export const why = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(["job", "worker", "pod", "endpoint"]),
    code: Type.String({ description: "The reason's name; docs/why.md lists them all." }),
    sentence: Type.String({ description: "The reason, for people." }),
    next: Type.Union([Type.String(), Type.Null()], {
      description: "What to do about it; null where nothing need be done.",
    }),
    story: Type.Optional(Type.String({ description: "Of a job: its whole way in one line." })),
    evidence,
  },
  { title: "Why" },
);
export type Why = Static<typeof why>;

export const whyOperations = {
  why: {
    method: "GET",
    path: "/v1/why/{id}",
    tag: "Why",
    summary: "Ask why a job, a worker, a Pod or an endpoint is as it is",
    needs: { of: "rest", access: "read" },
    answer: { status: 200, description: "The reason and what it rests on.", schema: why },
  },
} as const satisfies Operations;
