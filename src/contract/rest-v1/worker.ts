// Workers: what serves an endpoint's jobs, what it is doing and what it printed; and releases, which
// say what the workers of each version run. Operations of ours.

import Type, { type Static } from "typebox";
import { env, instant } from "../fields.ts";
import type { Operations } from "../operation.ts";
import { logAnswer, logQuery } from "./log.ts";
import { metricsAnswer } from "./metrics.ts";

export const worker = Type.Object(
  {
    id: Type.String(),
    endpointId: Type.String(),
    version: Type.Integer({ description: "The endpoint's version it runs." }),
    phase: Type.Enum(["starting", "idle", "busy", "draining", "unhealthy", "ended"]),
    driver: Type.String({ description: "What runs it." }),
    jobs: Type.Integer({ description: "Jobs it holds now." }),
    served: Type.Integer({ description: "Jobs it has finished." }),
    createdAt: instant,
    startedAt: Type.Optional(instant),
    readyAt: Type.Optional(instant),
    seenAt: Type.Optional(instant),
    endedAt: Type.Optional(instant),
    sdkVersion: Type.Optional(Type.String({ description: "As its pings name it." })),
    unhealthy: Type.Optional(Type.String({ description: "Why it cannot serve." })),
    reason: Type.Optional(Type.String({ description: "Why it ends or ended." })),
    exitCode: Type.Optional(Type.Integer()),
    signal: Type.Optional(Type.String()),
  },
  { title: "Worker" },
);
export type Worker = Static<typeof worker>;

export const release = Type.Object(
  {
    version: Type.Integer(),
    reason: Type.String({ description: "Why there is this version." }),
    image: Type.String(),
    entrypoint: Type.Array(Type.String(), { description: "Empty: the image's own." }),
    command: Type.Array(Type.String(), { description: "Empty: the image's own." }),
    driver: Type.Union([Type.String(), Type.Null()]),
    env,
    containerRegistryAuthId: Type.String({ description: "Empty: none." }),
    containerDiskInGb: Type.Optional(Type.Integer({ description: "Of each worker." })),
    networkVolumeIds: Type.Array(Type.String()),
    createdAt: instant,
  },
  { title: "Release" },
);
export type Release = Static<typeof release>;

const read = { of: "rest", access: "read" } as const;

export const workerOperations = {
  listWorkers: {
    method: "GET",
    path: "/v1/endpoints/{endpointId}/workers",
    tag: "Workers",
    summary: "List an endpoint's workers",
    description: "Those that live, then the last that ended, the latest first.",
    needs: read,
    query: Type.Partial(
      Type.Object({
        ended: Type.Integer({
          minimum: 0,
          maximum: 100,
          default: 10,
          description: "How many ended ones to bring along.",
        }),
      }),
    ),
    answer: { status: 200, description: "The workers.", schema: Type.Array(worker) },
  },
  listReleases: {
    method: "GET",
    path: "/v1/endpoints/{endpointId}/releases",
    tag: "Workers",
    summary: "List an endpoint's releases",
    description: "What the workers of each version run, the newest first.",
    needs: read,
    answer: { status: 200, description: "The releases.", schema: Type.Array(release) },
  },
  getWorker: {
    method: "GET",
    path: "/v1/workers/{workerId}",
    tag: "Workers",
    summary: "Read a worker",
    needs: read,
    answer: { status: 200, description: "The worker.", schema: worker },
  },
  getWorkerLogs: {
    method: "GET",
    path: "/v1/workers/{workerId}/logs",
    tag: "Workers",
    summary: "Read or follow a worker's logs",
    description:
      "What its container printed and what the service did for it; also after it ended, while its " +
      "driver keeps it.",
    needs: read,
    query: logQuery,
    answer: logAnswer,
  },
  getWorkerMetrics: {
    method: "GET",
    path: "/v1/workers/{workerId}/metrics",
    tag: "Workers",
    summary: "Read what a worker uses",
    description: "CPU, memory, network and disk, every ten seconds.",
    needs: read,
    answer: metricsAnswer,
  },
} as const satisfies Operations;
