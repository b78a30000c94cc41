// What replicas ask of each other. No client has a key to these routes.

import { once } from "node:events";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ID_PATTERN } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import { followHere, type Located, type LogSources, logHere } from "../../flows/log/source.ts";
import { latestHere, usageHere } from "../../flows/usage/read.ts";
import type { Polls } from "../http/polls.ts";

const MOST_LINES = 5_001;

interface ReplicaDeps extends LogSources {
  polls: Polls;
}

export function replicaRoutes(deps: ReplicaDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    const between = { config: { needs: "replica" as const } };
    const worker = "/replica/machines/:machineId/workers/:workerId";
    app.get(`${worker}/logs`, between, async (request) => {
      const { tail, since } = request.query as { tail?: string; since?: string };
      const lines = Math.min(MOST_LINES, Math.max(1, Math.trunc(Number(tail)) || 1));
      const from = since === undefined ? undefined : Number(since) || 0;
      return logHere(deps, workerOf(request), lines, from);
    });
    app.get(`${worker}/usage`, between, async (request) => usageHere(deps, workerOf(request)));
    app.get("/replica/machines/:machineId/usage", between, async (request) =>
      latestHere(deps, idOf(request, "machine")),
    );
    app.get(`${worker}/follow`, between, async (request, reply) => follow(deps, request, reply));
  };
}

/** A line of JSON for each batch of lines, no faster than they are read. */
async function follow(deps: ReplicaDeps, request: FastifyRequest, reply: FastifyReply) {
  const workload = workerOf(request);
  const { after } = request.query as { after?: string };
  const gone = deps.polls.hold(request, reply);
  reply.hijack();
  const { raw } = reply;
  raw.on("error", () => {}); // its close follows, and is heard
  raw.writeHead(200, { "content-type": "application/x-ndjson" });
  raw.flushHeaders();
  try {
    for await (const lines of followHere(deps, workload, after ?? null, gone)) {
      if (!raw.write(`${JSON.stringify(lines)}\n`)) await once(raw, "drain", { signal: gone });
    }
    raw.end();
  } catch (error) {
    if (!gone.aborted) request.log.error({ err: error }, "a log that is followed broke off");
    raw.destroy();
  }
  return reply;
}

function workerOf(request: FastifyRequest): Located {
  return { id: idOf(request, "worker"), machine: idOf(request, "machine") };
}

function idOf({ params }: FastifyRequest, noun: "worker" | "machine"): string {
  const id = (params as Record<string, string>)[`${noun}Id`]!;
  if (ID_PATTERN.test(id)) return id;
  throw new Fault("invalid_id", { noun, id: id.slice(0, 80) });
}
