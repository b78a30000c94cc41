// /v1/endpoints/<endpoint>/workers, its releases, and /v1/workers.

import type { FastifyInstance } from "fastify";
import { type Worker, workerOperations } from "../../../contract/rest-v1/endpoint/worker.ts";
import { coldStartParts } from "../../../domain/worker/cold-start.ts";
import { workerPhase } from "../../../domain/worker/phase.ts";
import { type EndedWorker, isEndedWorker } from "../../../domain/worker/worker.ts";
import { releasesOf } from "../../../flows/endpoint/releases.ts";
import { ownWorkerSubject } from "../../../flows/log/subject.ts";
import { findOwnWorker } from "../../../flows/worker/find-own.ts";
import { workersOf } from "../../../flows/worker/list.ts";
import type { StartingWorker } from "../../../flows/worker/model-loading.ts";
import { type LogStreamDeps, sendLog } from "../../management/observe/log.ts";
import { instant, present } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { metricsOf } from "../observe/metrics.ts";

export function workerRoutes(app: FastifyInstance, deps: LogStreamDeps): void {
  serveOperations(app, workerOperations, {
    async listWorkers({ accountId, params, query }) {
      const workers = await workersOf(deps, accountId, params.endpointId, query.ended ?? 10);
      return workers.map(workerRead);
    },
    async listReleases({ accountId, params }) {
      const releases = await releasesOf(deps, accountId, params.endpointId);
      return releases.map(({ version, reason, workload, createdAt, models }) => {
        const pinned = models.map(({ model, revision, commit }) => ({ model, revision, commit }));
        return {
          version,
          reason,
          ...workload,
          createdAt: instant(createdAt),
          ...(pinned.length > 0 && { models: pinned }),
        };
      });
    },
    async getWorker({ accountId, params }) {
      return workerRead(await findOwnWorker(deps, accountId, params.workerId));
    },
    getWorkerMetrics: async ({ accountId, params }) =>
      metricsOf(deps, await ownWorkerSubject(deps, accountId, params.workerId)),
    getWorkerLogs: async ({ accountId, params, query, reply }) =>
      sendLog(deps, await ownWorkerSubject(deps, accountId, params.workerId), query, reply),
  });
}

function workerRead(worker: StartingWorker): Worker {
  return {
    id: worker.id,
    endpointId: worker.endpointId,
    version: worker.version,
    phase: workerPhase(worker),
    driver: worker.driver,
    jobs: worker.jobsHeld,
    served: worker.served,
    createdAt: instant(worker.createdAt),
    coldStart: coldStartRead(worker),
    ...(worker.loading && { download: worker.loading }),
    ...present({
      startedAt: worker.startedAt,
      readyAt: worker.readyAt,
      firstJobAt: worker.firstJobAt,
      seenAt: worker.seenAt,
      endedAt: isEndedWorker(worker) ? worker.endedAt : null,
    }),
    ...(worker.pingVersion !== null && { sdkVersion: worker.pingVersion }),
    ...(worker.unhealthy !== null && { unhealthy: worker.unhealthy }),
    ...(worker.desiredReason !== null && { reason: worker.desiredReason }),
    ...(isEndedWorker(worker) && exitOf(worker)),
  };
}

function coldStartRead(worker: StartingWorker): Worker["coldStart"] {
  const endedAt = isEndedWorker(worker) ? worker.endedAt : null;
  const parts = coldStartParts(worker, { endedAt, isLoading: worker.loading !== null });
  return parts.map(({ part, from, to }) => {
    return { part, startedAt: instant(from), ...present({ endedAt: to }) };
  });
}

function exitOf({ exitCode, signal }: EndedWorker) {
  return { ...(exitCode !== null && { exitCode }), ...(signal !== null && { signal }) };
}
