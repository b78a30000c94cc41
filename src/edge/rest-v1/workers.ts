// Workers and releases of endpoints.

import type { FastifyInstance } from "fastify";
import { type Worker, workerOperations } from "../../contract/rest-v1/worker.ts";
import { workerPhase } from "../../domain/worker/phase.ts";
import { releasesOf } from "../../flows/endpoint/releases.ts";
import { ownWorkerSubject } from "../../flows/log/subject.ts";
import { findOwnWorker } from "../../flows/worker/find-own.ts";
import { workersOf } from "../../flows/worker/list.ts";
import type { LiveWorker } from "../../store/worker/worker.ts";
import type { RestDeps } from "./deps.ts";
import { instant, present } from "./instant.ts";
import { sendLog } from "./log.ts";
import { metricsOf } from "./metrics.ts";
import { serve } from "./serve.ts";

export function workerRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, workerOperations, {
    async listWorkers({ accountId, params, query }) {
      const workers = await workersOf(deps, accountId, params.endpointId, query.ended ?? 10);
      return workers.map(workerRead);
    },
    async listReleases({ accountId, params }) {
      const releases = await releasesOf(deps, accountId, params.endpointId);
      return releases.map(({ version, reason, workload, createdAt }) => {
        return { version, reason, ...workload, createdAt: instant(createdAt) };
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

function workerRead(worker: LiveWorker): Worker {
  return {
    id: worker.id,
    endpointId: worker.endpoint_id,
    version: worker.version,
    phase: workerPhase(worker),
    driver: worker.driver,
    jobs: worker.held,
    served: worker.served,
    createdAt: instant(worker.created_at),
    ...present({
      startedAt: worker.started_at,
      readyAt: worker.ready_at,
      seenAt: worker.seen_at,
      endedAt: worker.ended_at,
    }),
    ...(worker.ping_version !== null && { sdkVersion: worker.ping_version }),
    ...(worker.unhealthy !== null && { unhealthy: worker.unhealthy }),
    ...(worker.desired_reason !== null && { reason: worker.desired_reason }),
    ...(worker.exit_code !== null && { exitCode: worker.exit_code }),
    ...(worker.signal !== null && { signal: worker.signal }),
  };
}
