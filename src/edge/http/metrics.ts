// /metrics, as Prometheus reads it. Who sits at this machine needs no key where the service listens
// to this machine alone; a container on it comes from elsewhere, and does.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { Fault } from "../../domain/fault.ts";
import { exposition } from "../../domain/metrics/exposition.ts";
import { type MetricsDeps, readMetrics } from "../../flows/metrics/read.ts";

const needs = { of: "rest", access: "read", orNone: true } as const;

export function metricsRoutes(deps: MetricsDeps & { loopback: boolean }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/metrics", { config: { needs } }, async (request, reply) => {
      const text = exposition(await readMetrics(deps, asker(deps, request)));
      return reply.type("text/plain; version=0.0.4; charset=utf-8").send(text);
    });
  };
}

function asker({ loopback }: { loopback: boolean }, { holder, ip }: FastifyRequest): string | null {
  if (holder?.kind === "account") return holder.key.accountId;
  if (holder === null && loopback && isLoopback(ip)) return null;
  throw new Fault("unauthorized");
}

const isLoopback = (ip: string) => ip === "::1" || /^(?:::ffff:)?127\./.test(ip);
