// Rate limits of routes, with the RateLimit headers on every response.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../../domain/fault.ts";
import { type LimitName, WINDOW_MS } from "../../../domain/rate/limits.ts";
import type { RateLimitResult, RateLimits } from "../../../flows/rate-limits.ts";

/** Limits all routes of a scope; `nameOf` returns the limit of a route pattern. */
export function limitRates(
  app: FastifyInstance,
  rates: RateLimits,
  nameOf: (pattern: string) => LimitName | null,
): void {
  if (Object.keys(rates.limits.of).length === 0) return;
  app.addHook("onRequest", (request, reply, done) => {
    const { principal } = request;
    const name = nameOf(request.routeOptions.url ?? "");
    if (name === null || principal?.kind !== "account") return done();
    const { endpointId = null } = request.params as { endpointId?: string };
    const result = rates.count({ name, keyId: principal.key.id, endpointId });
    if (result === null) return done();
    const apply = (result: RateLimitResult) => done(applyLimit(request, reply, name, result));
    if (result instanceof Promise) result.then(apply, done);
    else apply(result);
  });
}

function applyLimit(
  request: FastifyRequest,
  reply: FastifyReply,
  name: LimitName,
  { limit, left, resetMs, refused, release }: RateLimitResult,
): Fault | undefined {
  const seconds = (ms: number) => Math.ceil(ms / 1_000);
  reply.header("ratelimit-policy", `"${name}";q=${limit};w=${WINDOW_MS / 1_000}`);
  reply.header("ratelimit", `"${name}";r=${left};t=${seconds(refused?.waitMs ?? resetMs)}`);
  // The close event also fires if the client disconnects or the route writes the response itself.
  reply.raw.once("close", release);
  if (request.raw.destroyed) release();
  if (!refused) return undefined;
  const { detail, waitMs } = refused;
  return new Fault("rate_limited", { detail }, { retryAfterS: seconds(waitMs) });
}
