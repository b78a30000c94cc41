// Rate limits of routes, with the RateLimit headers on every response.

import type { FastifyInstance } from "fastify";
import { Fault } from "../../../domain/fault.ts";
import { type LimitName, WINDOW_MS } from "../../../domain/rate/limits.ts";
import type { RateLimitResult, RateLimits } from "../../../flows/rate-limits.ts";
import type { BodyPrecondition, RouteReply } from "../request/route.ts";
import { addPrecondition } from "./route-scope.ts";

/** Limits all routes of a scope; `nameOf` returns the limit of a route pattern. */
export function limitRates(
  app: FastifyInstance,
  rates: RateLimits,
  nameOf: (pattern: string) => LimitName | null,
): void {
  for (const precondition of rateLimitOf(rates, nameOf)) addPrecondition(app, precondition);
}

/** The precondition that limits rates; none where nothing is limited. */
export function rateLimitOf(
  rates: RateLimits,
  nameOf: (pattern: string) => LimitName | null,
): BodyPrecondition[] {
  if (Object.keys(rates.limits.of).length === 0) return [];
  return [
    (request, reply) => {
      const { principal } = request;
      const name = nameOf(request.routeOptions.url ?? "");
      if (name === null || principal?.kind !== "account") return undefined;
      const { endpointId = null } = request.params as { endpointId?: string };
      const result = rates.count({ name, keyId: principal.key.id, endpointId });
      if (result instanceof Promise) return result.then((found) => applyLimit(reply, name, found));
      if (result !== null) applyLimit(reply, name, result);
      return undefined;
    },
  ];
}

/** Sets the headers of the response. Throws if the request is refused. */
function applyLimit(
  reply: RouteReply,
  name: LimitName,
  { limit, left, resetMs, refused, release }: RateLimitResult,
): void {
  const seconds = (ms: number) => Math.ceil(ms / 1_000);
  reply.header("ratelimit-policy", `"${name}";q=${limit};w=${WINDOW_MS / 1_000}`);
  reply.header("ratelimit", `"${name}";r=${left};t=${seconds(refused?.waitMs ?? resetMs)}`);
  // The close event also fires if the client disconnects or the route writes the response itself.
  reply.raw.once("close", release);
  if (reply.raw.destroyed) release();
  if (!refused) return;
  const { detail, waitMs } = refused;
  throw new Fault("rate_limited", { detail }, { retryAfterS: seconds(waitMs) });
}
