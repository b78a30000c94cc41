// The access to a load-balancing endpoint: an API key that may use the queue interface of its account,
// and of this endpoint if the key is limited to some.

import type { Clock } from "../../base/clock.ts";
import { type Ready, whenReady } from "../../base/ready.ts";
import { covers } from "../../domain/access.ts";
import type { ApiKey } from "../../domain/account.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import { roleCovers } from "../../domain/member/roles.ts";
import { FLASH_WORD } from "../../domain/reserved-words.ts";
import { ACCESS_REVOKED, type LastingAccess, watchAccess } from "../../flows/access-watch.ts";
import type { AuthCache, Principal } from "../../flows/auth-cache.ts";
import type { FlashFunction } from "../../flows/flash-app/find-endpoint.ts";
import { roleFault } from "../http/auth/authorize.ts";
import type { InboundRequest } from "../http/plain/exchange.ts";
import { flashFunctionOf } from "../management/endpoint/flash-function.ts";
import type { Call } from "./call.ts";

export interface AuthorizeDeps {
  authCache: AuthCache;
  /** The endpoint of a Flash function of an account; throws if there is none. */
  readFlashEndpoint(accountId: string, wanted: FlashFunction): Promise<Endpoint>;
}

/** Fails with a fault if the request's key may not call the endpoint. */
export function authorizeCall(
  deps: AuthorizeDeps,
  endpointId: string,
  request: InboundRequest,
): Ready<Endpoint> {
  return whenReady(principalOf(deps.authCache, secretOf(request)), (principal) => {
    if (!principal) throw new Fault("invalid_token");
    const key = requireKey(principal);
    deps.authCache.uses.note(key.id);
    return authorizeKey(deps, endpointId, key, request);
  });
}

/** Fails with a fault if the key may not call the endpoint. */
export function authorizeKey(
  deps: AuthorizeDeps,
  endpointId: string,
  key: ApiKey,
  request: InboundRequest,
): Ready<Endpoint> {
  return whenReady(findEndpoint(deps, endpointId, key, request), (endpoint) => {
    if (!endpoint) throw new Fault("endpoint_not_found", { id: endpointId });
    requireUse(key, endpoint);
    return endpoint;
  });
}

/** Ends a call when its key loses access: `refuse` answers one that has no answer yet. */
export function watchCall(
  deps: Pick<AuthorizeDeps, "authCache"> & { clock: Clock },
  call: Call,
  endpoint: Endpoint,
  refuse: (fault: Fault) => void,
): void {
  const access = lastingAccess(deps, endpoint, call.request);
  const endWatch = watchAccess(deps.clock, access, () => {
    if (call.isAnswered) call.cut();
    else refuse(ACCESS_REVOKED);
  });
  call.atEnd(endWatch);
}

/** The access of a request's key to an endpoint, which lasts when the endpoint is deleted: its workers then finish. */
function lastingAccess(
  { authCache }: Pick<AuthorizeDeps, "authCache">,
  endpoint: Endpoint,
  request: InboundRequest,
): LastingAccess {
  const secret = secretOf(request);
  return {
    onChange: (listener) => authCache.onInvalidate(listener),
    lasts: () =>
      whenReady(principalOf(authCache, secret), (principal) => mayUse(principal, endpoint)),
  };
}

function mayUse(principal: Principal | undefined, endpoint: Endpoint): boolean {
  if (principal?.kind !== "account") return false;
  try {
    requireUse(principal.key, endpoint);
    return true;
  } catch {
    return false;
  }
}

function findEndpoint(
  { authCache, readFlashEndpoint }: AuthorizeDeps,
  endpointId: string,
  { accountId }: ApiKey,
  { headers }: InboundRequest,
): Ready<Endpoint | undefined> {
  if (endpointId !== FLASH_WORD) return authCache.endpoint(endpointId);
  return readFlashEndpoint(accountId, flashFunctionOf(headers));
}

function principalOf(authCache: AuthCache, secret: string | null): Ready<Principal | undefined> {
  if (secret === null || secret === "") throw new Fault("no_token");
  return authCache.principal(secret);
}

function requireKey(principal: Principal): ApiKey {
  if (principal.kind === "account") return principal.key;
  const detail = "Only an API key of an account may call a load-balancing endpoint.";
  throw new Fault("forbidden", { detail });
}

function requireUse(key: ApiKey, { id, accountId }: Endpoint): void {
  // Another account's endpoint looks like one that does not exist.
  if (key.accountId !== accountId) throw new Fault("endpoint_not_found", { id });
  const { queue, endpoints } = key.permissions;
  if (!covers(queue, "write")) {
    const detail = "This key has no write permission for the queue interface.";
    throw new Fault("forbidden", { detail });
  }
  const role = key.member?.role ?? null;
  if (!roleCovers(role, "use", "write")) throw roleFault(role!, "use", "write");
  if (endpoints && !endpoints.includes(id)) {
    throw new Fault("forbidden", { detail: `This key has no access to endpoint ${id}.` });
  }
}

/** The key of a request. A browser cannot set headers on a WebSocket, so its URL may hold the key. */
function secretOf(request: InboundRequest): string | null {
  const { headers, url } = request;
  const { authorization } = headers;
  if (authorization) return authorization.replace(/^bearer /i, "").trim();
  if (!isUpgrade(request)) return null;
  const question = url!.indexOf("?");
  return question === -1 ? null : new URLSearchParams(url!.slice(question)).get("api_key");
}

const isUpgrade = ({ headers }: InboundRequest) => headers.upgrade !== undefined;
