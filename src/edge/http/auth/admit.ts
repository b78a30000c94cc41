// The admission of a request: who its caller is, and that they may use the route.

import type { Clock } from "../../../base/clock.ts";
import type { Protocol } from "../../../domain/protocol.ts";
import { isStoreUnavailable, retryWhileUnavailable } from "../../../flows/store-unavailable.ts";
import type { ConnectionGuard } from "../connection/connection-guard.ts";
import type { Polls } from "../held-requests.ts";
import type { RouteReply, RouteRequest } from "../request/route.ts";
import { retryDeadlineFor } from "../retry-deadline.ts";
import { type AuthDeps, authenticate } from "./authorize.ts";

export interface AdmitDeps extends AuthDeps {
  clock: Clock;
  protocol: Protocol;
  polls: Polls;
  guard: ConnectionGuard;
}

/** Synchronous if the caller is cached. Throws a fault if they may not use the route. */
export function admit(
  deps: AdmitDeps,
  request: RouteRequest,
  reply: RouteReply,
): Promise<void> | undefined {
  const authentication = authenticate(request, deps);
  if (!authentication) return identify(deps, request);
  return authentication
    .catch((error) => retryAuthentication(deps, request, reply, error))
    .then(() => identify(deps, request));
}

/** The connection has sent a valid key: a client's, a worker's or a replica's. */
function identify({ guard }: AdmitDeps, { principal, routeOptions, raw }: RouteRequest): undefined {
  const hasKey = principal !== null || routeOptions.config.needs === "replica";
  if (hasKey) guard.identify(raw.socket);
}

/** Only the store can authenticate a worker, so the request waits while it is unavailable. */
async function retryAuthentication(
  deps: AdmitDeps,
  request: RouteRequest,
  reply: RouteReply,
  error: unknown,
): Promise<void> {
  const { needs } = request.routeOptions.config;
  if (needs !== "worker" || !isStoreUnavailable(error)) throw error;
  await retryWhileUnavailable(retryDeadlineFor(deps, request, reply), async () =>
    authenticate(request, deps),
  );
}
