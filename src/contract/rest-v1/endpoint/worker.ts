// Workers of an endpoint with their logs and metrics, and the releases that they run. Operations of
// Freehold's own.

import Type, { type Static } from "typebox";
import { env, instant } from "../../fields.ts";
import { type Operations, read } from "../../operation.ts";
import { logAnswer, logQuery } from "../observe/log.ts";
import { metricsAnswer } from "../observe/metrics.ts";

const worker = Type.Object(
  {
    id: Type.String(),
    endpointId: Type.String(),
    version: Type.Integer({ description: "The endpoint's version that the worker runs." }),
    phase: Type.Enum(["starting", "idle", "busy", "draining", "unhealthy", "ended"]),
    driver: Type.String({ description: "The driver that runs the worker." }),
    jobs: Type.Integer({ description: "Jobs in progress on the worker." }),
    served: Type.Integer({ description: "Jobs that the worker has finished." }),
    createdAt: instant,
    download: Type.Optional(
      Type.Object(
        {
          model: Type.String({ description: "The model, as owner/name." }),
          bytes: Type.Integer({ description: "0 until its size is known." }),
          downloadedBytes: Type.Integer(),
        },
        { description: "The model that the worker's machine downloads before the worker starts." },
      ),
    ),
    coldStart: Type.Array(
      Type.Object({
        part: Type.Enum([
          "scheduling",
          "models",
          "image_pull",
          "image_check",
          "container",
          "program",
          "import",
          "first_poll",
        ]),
        startedAt: instant,
        endedAt: Type.Optional(instant),
      }),
      {
        description:
          "The parts of the worker's start, in their order: until its machine begins (scheduling), until " +
          "its models are there (models), until its image is pulled (image_pull) or found to be there " +
          "(image_check), until its container or process runs (container), and until its first call or " +
          "its first passed health check (program). A worker of Freehold's library divides the last one: until its " +
          "process begins (program), until the handler's module is loaded (import), and until its first call " +
          "(first_poll). A part that its driver cannot tell belongs to the next one.",
      },
    ),
    startedAt: Type.Optional(instant),
    readyAt: Type.Optional(instant),
    firstJobAt: Type.Optional(instant),
    seenAt: Type.Optional(instant),
    endedAt: Type.Optional(instant),
    sdkVersion: Type.Optional(
      Type.String({ description: "The worker SDK's version, from its pings." }),
    ),
    unhealthy: Type.Optional(Type.String({ description: "Why the worker is unhealthy." })),
    reason: Type.Optional(Type.String({ description: "Why the worker ends or ended." })),
    exitCode: Type.Optional(Type.Integer()),
    signal: Type.Optional(Type.String()),
  },
  { title: "Worker" },
);
export type Worker = Static<typeof worker>;

const release = Type.Object(
  {
    version: Type.Integer(),
    reason: Type.String({ description: "Why the release was created." }),
    image: Type.String(),
    entrypoint: Type.Array(Type.String(), { description: "Empty for the image's default." }),
    command: Type.Array(Type.String(), { description: "Empty for the image's default." }),
    driver: Type.Union([Type.String(), Type.Null()]),
    env,
    containerRegistryAuthId: Type.String({ description: "Empty for none." }),
    containerDiskInGb: Type.Optional(
      Type.Integer({ description: "Container disk of each worker." }),
    ),
    networkVolumeIds: Type.Array(Type.String()),
    modelReferences: Type.Optional(
      Type.Array(Type.String(), { description: "The models in the workers' cache." }),
    ),
    models: Type.Optional(
      Type.Array(
        Type.Object({
          model: Type.String({ description: "The model, as owner/name." }),
          revision: Type.String(),
          commit: Type.String({ description: "The commit that all workers of the release get." }),
        }),
        { description: "Known once a worker of the release has been started." },
      ),
    ),
    createdAt: instant,
  },
  { title: "Release" },
);

export const workerOperations = {
  listWorkers: {
    method: "GET",
    path: "/v1/endpoints/{endpointId}/workers",
    tag: "Workers",
    summary: "List an endpoint's workers",
    description: "Live workers, then the last ended ones, latest first.",
    needs: read,
    query: Type.Partial(
      Type.Object({
        ended: Type.Integer({
          minimum: 0,
          maximum: 100,
          default: 10,
          description: "How many ended workers to return.",
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
    description: "The configuration of each version's workers, newest first.",
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
      "Lines of the container and of the service, also after the worker ended, as long as its " +
      "driver keeps them.",
    needs: read,
    query: logQuery,
    answer: logAnswer,
  },
  getWorkerMetrics: {
    method: "GET",
    path: "/v1/workers/{workerId}/metrics",
    tag: "Workers",
    summary: "Read a worker's metrics",
    description: "CPU, memory, network and disk, every ten seconds.",
    needs: read,
    answer: metricsAnswer,
  },
} as const satisfies Operations;
