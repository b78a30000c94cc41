// The route /metrics in the Prometheus text format. A caller on this machine needs no key while no
// other machine reaches the service; a container needs one,
// and so does a page in this machine's browser, whose own host leads to loopback.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { Fault } from "../../domain/fault.ts";
import type { LocalTrust } from "../../flows/local-trust.ts";
import { metricsReader, type ScrapeDeps } from "../../flows/metrics/scrape.ts";
import { isLoopback } from "./connection/network.ts";
import { isContainerRequest } from "./routes/container-requests.ts";

const needs = { of: "rest", access: "read", keyOptional: true } as const;

export function metricsRoutes(deps: ScrapeDeps & { localTrust: LocalTrust }) {
  const read = metricsReader(deps);
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/metrics", { config: { needs } }, async (request, reply) => {
      const text = await read(await scraperAccount(deps, request));
      return reply.type(deps.metrics.registry.contentType).send(text);
    });
  };
}

/** The account of the caller's key; null for a caller on this machine without one. */
async function scraperAccount(
  { localTrust }: { localTrust: LocalTrust },
  { principal, ip, hostname, raw }: FastifyRequest,
): Promise<string | null> {
  if (principal?.kind === "account") return principal.key.accountId;
  const isHere = isLoopback(ip) && isLoopbackHost(hostname) && !isContainerRequest(raw);
  if (principal === null && isHere && (await localTrust.holds())) return null;
  throw new Fault("unauthorized");
}

const isLoopbackHost = (hostname: string) => {
  const host = hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return host === "localhost" || /^127(?:\.\d{1,3}){3}$/.test(host) || host === "::1";
};
