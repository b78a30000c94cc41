// Authentication again: a caller may lose access while its body arrives, or while its answer is held.

import { isStoreUnavailable } from "../../../flows/store-unavailable.ts";
import type { RouteRequest } from "../request/route.ts";
import {
  type AuthDeps,
  authenticateKey,
  credentialOf,
  principalOf,
  requireOwnBody,
} from "./authorize.ts";

type Deps = Pick<AuthDeps, "authCache">;

/** After the body was read: refuses a caller that lost access meanwhile, and what the body names of others. */
export function authorizeBody(request: RouteRequest, deps: Deps): Promise<void> | undefined {
  const renewal = request.body === undefined ? undefined : reauthenticate(request, deps);
  return renewal
    ? renewal.then(() => requireOwnBody(request, deps))
    : requireOwnBody(request, deps);
}

/** Undefined while the cache has the caller, who then has lost nothing. */
export function reauthenticate(
  request: RouteRequest,
  { authCache }: Deps,
): Promise<void> | undefined {
  const { principal, routeOptions } = request;
  // A worker's result exists nowhere else, so it is taken.
  if (principal === null || principal.kind === "worker") return undefined;
  const credential = credentialOf(request);
  if (credential && principalOf(authCache, credential) === principal) return undefined;
  return authenticateKey(request, authCache, routeOptions.config.needs);
}

/** Before an answer that was held: refuses a caller that lost access meanwhile. */
export async function requireLastingAccess(request: RouteRequest, deps: Deps): Promise<void> {
  try {
    await reauthenticate(request, deps);
  } catch (error) {
    // The store is unavailable, which does not mean that access ended.
    if (!isStoreUnavailable(error)) throw error;
  }
}
