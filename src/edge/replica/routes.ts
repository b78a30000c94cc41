// What replicas ask of each other. No client has a key to these routes.

import { once } from "node:events";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ID_PATTERN } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import { followHere, type LogSources, logHere } from "../../flows/log/source.ts";
import type { UsageBook } from "../../flows/usage/book.ts";
import type { Polls } from "../http/polls.ts";

const MOST_LINES = 5_001;

interface ReplicaDeps extends Pick<LogSources, "looking"> {
  polls: Polls;
  usage: UsageBook;
}

export function replicaRoutes(deps: ReplicaDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    const between = { config: { needs: "replica" as const } };
    app.get("/replica/workers/:workerId/logs", between, async (request) => {
      const { tail, since } = request.query as { tail?: string; since?: string };
      const lines = Math.min(MOST_LINES, Math.max(1, Math.trunc(Number(tail)) || 1));
      const from = since === undefined ? undefined : Number(since) || 0;
      return logHere(deps, workerIdOf(request), lines, from);
    });
    app.get("/replica/workers/:workerId/usage", between, async (request) =>
      deps.usage.of(workerIdOf(request)),
    );
    app.get("/replica/usage", between, async () => deps.usage.latest());
    app.get("/replica/workers/:workerId/follow", between, async (request, reply) => {
      return follow(deps, request, reply);
    });
  };
}

/** A line of JSON for each batch of lines, no faster than they are read. */
async function follow(deps: ReplicaDeps, request: FastifyRequest, reply: FastifyReply) {
  const id = workerIdOf(request);
  const { after } = request.query as { after?: string };
  const gone = deps.polls.hold(request, reply);
  reply.hijack();
  const { raw } = reply;
  raw.on("error", () => {}); // its close follows, and is heard
  raw.writeHead(200, { "content-type": "application/x-ndjson" });
  raw.flushHeaders();
  try {
    for await (const lines of followHere(deps, id, after ?? null, gone)) {
      if (!raw.write(`${JSON.stringify(lines)}\n`)) await once(raw, "drain", { signal: gone });
    }
    raw.end();
  } catch (error) {
    if (!gone.aborted) request.log.error({ err: error }, "a log that is followed broke off");
    raw.destroy();
  }
  return reply;
}

function workerIdOf({ params }: FastifyRequest): string {
  const { workerId } = params as { workerId: string };
  if (ID_PATTERN.test(workerId)) return workerId;
  throw new Fault("invalid_id", { noun: "worker", id: workerId.slice(0, 80) });
}
