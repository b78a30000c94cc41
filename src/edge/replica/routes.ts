// The routes for other replicas. No client key gives access to them.

import { once } from "node:events";
import { createReadStream } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ID_PATTERN } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import type { FlashArchives } from "../../flows/flash-app/archives.ts";
import {
  followHere,
  type LogSources,
  logHere,
  type WorkloadLocation,
} from "../../flows/replica/log-source.ts";
import { latestHere, loadHere, usageHere } from "../../flows/usage/read.ts";
import type { Polls } from "../http/held-requests.ts";

const MAX_LINES = 5_001;

interface ReplicaDeps extends LogSources {
  polls: Polls;
  flashArchives: FlashArchives;
}

export function replicaRoutes(deps: ReplicaDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    const replicaOnly = { config: { needs: "replica" as const } };
    const workerPath = "/replica/machines/:machineId/workers/:workerId";
    app.get(`${workerPath}/logs`, replicaOnly, async (request) => {
      const { tail, since } = request.query as { tail?: string; since?: string };
      const lines = Math.min(MAX_LINES, Math.max(1, Math.trunc(Number(tail)) || 1));
      const from = since === undefined ? undefined : Number(since) || 0;
      return logHere(deps, workerOf(request), lines, from);
    });
    app.get(`${workerPath}/usage`, replicaOnly, async (request) =>
      usageHere(deps, workerOf(request)),
    );
    app.get("/replica/machines/:machineId/usage", replicaOnly, async (request) =>
      latestHere(deps, idOf(request, "machine")),
    );
    app.get("/replica/machines/:machineId/load", replicaOnly, async (request) =>
      loadHere(deps, idOf(request, "machine")),
    );
    app.get("/replica/flash/archives/:flashBuildId", replicaOnly, async (request, reply) => {
      const id = idOf(request, "flashBuild");
      const archive = await deps.flashArchives.find(id);
      if (!archive) throw new Fault("flash_build_not_found", { id });
      const { path, size } = archive;
      return reply
        .type("application/gzip")
        .header("content-length", size)
        .send(createReadStream(path));
    });
    app.get(`${workerPath}/follow`, replicaOnly, async (request, reply) =>
      follow(deps, request, reply),
    );
  };
}

/** Sends each batch of lines as one line of JSON, only as fast as the reader takes them. */
async function follow(deps: ReplicaDeps, request: FastifyRequest, reply: FastifyReply) {
  const workload = workerOf(request);
  const { after } = request.query as { after?: string };
  const signal = deps.polls.hold(reply);
  reply.hijack();
  const { raw } = reply;
  raw.on("error", () => {}); // a close event follows
  raw.writeHead(200, { "content-type": "application/x-ndjson" });
  raw.flushHeaders();
  try {
    for await (const lines of followHere(deps, workload, after ?? null, signal)) {
      if (!raw.write(`${JSON.stringify(lines)}\n`)) await once(raw, "drain", { signal });
    }
    raw.end();
  } catch (error) {
    if (!signal.aborted) request.log.error({ err: error }, "following a log failed");
    raw.destroy();
  }
  return reply;
}

function workerOf(request: FastifyRequest): WorkloadLocation {
  return { id: idOf(request, "worker"), machine: idOf(request, "machine") };
}

function idOf({ params }: FastifyRequest, noun: "worker" | "machine" | "flashBuild"): string {
  const id = (params as Record<string, string>)[`${noun}Id`]!;
  if (ID_PATTERN.test(id)) return id;
  throw new Fault("invalid_id", { noun, id: id.slice(0, 80) });
}
