// Refuses whoever asks too often, and tells everybody how much is left in the headers of the field.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../domain/fault.ts";
import { type LimitName, WINDOW_MS } from "../../domain/rate/limits.ts";
import type { Counted, RateLimits } from "../../flows/rate-limits.ts";

/** For all routes of a scope; `nameOf` says which limit is a route's, by its pattern. */
export function limitRates(
  app: FastifyInstance,
  rates: RateLimits,
  nameOf: (pattern: string) => LimitName | null,
): void {
  if (Object.keys(rates.limits.of).length === 0) return;
  app.addHook("onRequest", (request, reply, done) => {
    const { holder } = request;
    const name = nameOf(request.routeOptions.url ?? "");
    if (name === null || holder?.kind !== "account") return done();
    const { endpointId = null } = request.params as { endpointId?: string };
    const counted = rates.count({ name, keyId: holder.key.id, endpointId });
    if (counted === null) return done();
    const enter = (found: Counted) => done(entered(request, reply, name, found));
    if (counted instanceof Promise) counted.then(enter, done);
    else enter(counted);
  });
}

function entered(
  request: FastifyRequest,
  reply: FastifyReply,
  name: LimitName,
  { most, left, resetMs, refused, release }: Counted,
): Fault | undefined {
  const seconds = (ms: number) => Math.ceil(ms / 1_000);
  reply.header("ratelimit-policy", `"${name}";q=${most};w=${WINDOW_MS / 1_000}`);
  reply.header("ratelimit", `"${name}";r=${left};t=${seconds(refused?.waitMs ?? resetMs)}`);
  // Also where the client goes away, or the route answers by hand.
  reply.raw.once("close", release);
  if (request.raw.destroyed) release();
  if (!refused) return undefined;
  const { detail, waitMs } = refused;
  return new Fault("rate_limited", { detail }, { retryAfterS: seconds(waitMs) });
}
