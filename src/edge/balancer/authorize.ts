// The access to a load-balancing endpoint: an API key that may use the queue interface of its account,
// and of this endpoint if the key is limited to some.

import type { IncomingMessage } from "node:http";
import { covers } from "../../domain/access.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import { roleCovers } from "../../domain/member/roles.ts";
import type { AuthCache, Principal } from "../../flows/auth-cache.ts";
import { roleFault } from "../http/auth/authorize.ts";

/** Throws a fault if the key may not call the endpoint. */
export async function authorizeCall(
  authCache: AuthCache,
  endpointId: string,
  secret: string | null,
): Promise<Endpoint> {
  if (secret === null || secret === "") throw new Fault("no_token");
  const principal = await authCache.principal(secret);
  if (!principal) throw new Fault("invalid_token");
  const endpoint = await authCache.endpoint(endpointId);
  if (!endpoint) throw new Fault("endpoint_not_found", { id: endpointId });
  requireUse(authCache, principal, endpoint);
  return endpoint;
}

function requireUse(authCache: AuthCache, principal: Principal, endpoint: Endpoint): void {
  const { id, accountId } = endpoint;
  if (principal.kind !== "account") {
    const detail = "Only an API key of an account may call a load-balancing endpoint.";
    throw new Fault("forbidden", { detail });
  }
  const { key } = principal;
  authCache.uses.note(key.id);
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
export function secretOf({ headers, url }: IncomingMessage, isUpgrade: boolean): string | null {
  const { authorization } = headers;
  if (authorization) return authorization.replace(/^bearer /i, "").trim();
  if (!isUpgrade) return null;
  const question = url!.indexOf("?");
  return question === -1 ? null : new URLSearchParams(url!.slice(question)).get("api_key");
}

/** A browser's question before a request from another origin, which carries no key. */
export const isPreflight = ({ method, headers }: IncomingMessage) =>
  method === "OPTIONS" &&
  headers["access-control-request-method"] !== undefined &&
  headers.authorization === undefined;
