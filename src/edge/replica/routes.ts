// What replicas ask of each other. No client has a key to these routes.

import type { FastifyInstance } from "fastify";
import { ID_PATTERN } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import { type LogSources, logHere } from "../../flows/worker/logs.ts";

const MOST_LINES = 5_000;

export function replicaRoutes(deps: Pick<LogSources, "looking">) {
  return async (app: FastifyInstance): Promise<void> => {
    const between = { config: { needs: "replica" as const } };
    app.get("/replica/workers/:workerId/logs", between, async (request) => {
      const { workerId } = request.params as { workerId: string };
      const { tail } = request.query as { tail?: string };
      if (!ID_PATTERN.test(workerId)) {
        throw new Fault("invalid_id", { noun: "worker", id: workerId.slice(0, 80) });
      }
      const lines = Math.min(MOST_LINES, Math.max(1, Math.trunc(Number(tail)) || 1));
      return logHere(deps, workerId, lines);
    });
  };
}
