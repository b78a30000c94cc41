// Explanations: why a job, a worker, a Pod, an endpoint or a schedule is in its state. An operation of Freehold's own.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import { type Operations, read } from "../../operation.ts";
import { scheduleRun } from "../schedule/schedule.ts";

const count = Type.Integer({ minimum: 0 });
/** A share of a GPU is a part of one. */
const amount = Type.Number({ minimum: 0 });

const workerEnd = Type.Object({
  workerId: Type.String(),
  endedAt: instant,
  exitCode: Type.Union([Type.Integer(), Type.Null()]),
  signal: Type.Union([Type.String(), Type.Null()]),
  cause: Type.Optional(Type.String({ description: "The reason's code, if it is certain." })),
  unhealthy: Type.Union([Type.String(), Type.Null()], {
    description: "Why it was unhealthy before it ended, as reported by the worker or the service.",
  }),
});

const heldGpus = {
  gpuTypeId: Type.Union([Type.String(), Type.Null()], {
    description: "The GPU type that is counted; null for all types together.",
  }),
  held: count,
  limit: Type.Union([count, Type.Null()], { description: "Null for no limit." }),
};

const evidence = Type.Partial(
  Type.Object({
    jobsAhead: Type.Integer({ description: "Number of jobs before this one in the queue." }),
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
    share: Type.Object(
      {
        resource: Type.Enum(["gpus", "vcpus", "memoryMb"]),
        held: amount,
        total: amount,
        endpointsAhead: Type.Array(Type.String(), {
          description: "Ids of the account's own endpoints that come first.",
        }),
        othersAhead: Type.Integer({ description: "How many endpoints of other accounts do." }),
      },
      { description: "What the account uses of the machines, of the resource it has most of." },
    ),
    standing: Type.Object(
      {
        ...heldGpus,
        project: Type.Union([
          Type.Object({
            ...heldGpus,
            name: Type.String(),
            guaranteed: count,
            borrowed: Type.Integer({
              minimum: 0,
              description:
                "GPUs that it holds beyond its guarantee, of types of which any project is guaranteed some.",
            }),
          }),
          Type.Null(),
        ]),
      },
      {
        description:
          "What the owner of a Pod in line holds of the GPUs that it waits for, and the owner's project.",
      },
    ),
    ends: Type.Array(workerEnd, {
      description: "Workers that ended before they finished a job, latest first.",
    }),
    startAllowedAt: { ...instant, description: "No worker starts before this instant." },
    log: Type.Object(
      { workerId: Type.String(), lines: Type.Array(Type.String()) },
      { description: "The last log lines of a worker or a Pod." },
    ),
    jobs: Type.Array(Type.String(), { description: "Ids of the worker's jobs." }),
    nextRunAt: { ...instant, description: "When the schedule runs next." },
    lastRun: scheduleRun,
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
        posts: Type.Integer(),
      }),
    ),
    error: Type.String(),
    concurrency: Type.Object(
      {
        key: Type.String(),
        limit: Type.Integer(),
        admitted: Type.Integer({ description: "Jobs with the key in the queue or running." }),
        jobs: Type.Array(Type.String(), { description: "The ids of the first of them." }),
        ahead: Type.Integer({ description: "Held jobs that are admitted before this one." }),
      },
      { description: "The concurrency key that holds the job." },
    ),
    rateLimit: Type.Object(
      {
        key: Type.String(),
        limit: Type.Integer(),
        period: Type.Integer({ description: "Seconds." }),
        burst: Type.Integer(),
        nextAt: { ...instant, description: "When the next job with the key enters the queue." },
        ahead: Type.Integer({ description: "Held jobs that enter before this one." }),
      },
      { description: "The rate limit that holds the job." },
    ),
    cause: Type.String({ description: "Why a Pod could not be started, as one word." }),
  }),
  { description: "Evidence for the reason. Members that do not apply are absent." },
);

const why = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(["job", "worker", "pod", "endpoint", "schedule"]),
    code: Type.String({ description: "The reason's code; docs/why.md lists all codes." }),
    sentence: Type.String({ description: "The reason in words." }),
    next: Type.Union([Type.String(), Type.Null()], {
      description: "The next step; null if nothing has to be done.",
    }),
    story: Type.Optional(Type.String({ description: "A one-line summary of a job's history." })),
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
    summary: "Explain the state of a job, a worker, a Pod, an endpoint or a schedule",
    needs: read,
    answer: { status: 200, description: "The reason and its evidence.", schema: why },
  },
} as const satisfies Operations;
