// Authentication and authorization of requests. Every route declares what it needs; a route that
// declares nothing refuses every request.

import { covers } from "../../../domain/access.ts";
import type { ApiKey } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
import { type Area, type Role, roleCovers } from "../../../domain/member/roles.ts";
import type { AuthCache, Principal } from "../../../flows/auth-cache.ts";
import type { PeerClient } from "../../../flows/replica/peer-client.ts";
import { acceptsHtml } from "../request/accepts-html.ts";
import type { RouteRequest } from "../request/route.ts";
import { requireOwnInBody, requireOwnThings } from "./own/require-own.ts";
import { requireOwnPage } from "./own-page.ts";
import { sessionSecretOf } from "./session-cookie.ts";

/**
 * What a route requires of its caller: a permission, a worker's own key, the replicas' key, or
 * nothing. With `keyOptional`, a request without a key passes too, but not one with a wrong key. With `openPage`, a
 * browser that navigates to the route gets a page, whatever credential it sends.
 */
type Needs =
  | {
      of: "rest" | "graphql" | "queue";
      access: "read" | "write";
      area?: Area;
      keyOptional?: true;
      openPage?: true;
      ownPod?: boolean;
    }
  | "worker"
  | "replica"
  | "nothing";

/** A credential. Clients by the specification send the bare key; SDKs send it as a bearer token. */
export interface Credential {
  secret: string;
  bearer: boolean;
  /** Whether it is a session's secret from a cookie. */
  session?: true;
}

declare module "fastify" {
  interface FastifyContextConfig {
    needs?: Needs;
  }
  interface FastifyRequest {
    principal: Principal | null;
    bearer: boolean;
  }
}

export function credentialOf(request: RouteRequest): Credential | null {
  const header = request.headers.authorization;
  if (!header) return queryCredential(request) ?? cookieCredential(request);
  if (/^bearer /i.test(header)) return { secret: header.slice(7).trim(), bearer: true };
  return { secret: header.trim(), bearer: false };
}

/** GraphQL clients can send their key in the query string. */
function queryCredential(request: RouteRequest): Credential | null {
  const { needs } = request.routeOptions.config;
  if (typeof needs !== "object" || needs.of !== "graphql") return null;
  const { api_key: key } = request.query as { api_key?: string | string[] };
  const secret = typeof key === "string" ? key.trim() : "";
  return secret === "" ? null : { secret, bearer: false };
}

/** The session of a browser. It is used only if there is no Authorization header. */
function cookieCredential(request: RouteRequest): Credential | null {
  if (typeof request.routeOptions.config.needs !== "object") return null;
  const secret = sessionSecretOf(request);
  return secret ? { secret, bearer: true, session: true } : null;
}

export function principalOf(
  authCache: AuthCache,
  { secret, session }: Credential,
): Principal | undefined | Promise<Principal | undefined> {
  if (secret === "") return undefined;
  return session ? authCache.sessionPrincipal(secret) : authCache.principal(secret);
}

export const REST_READ: Needs = { of: "rest", access: "read" };

export interface AuthDeps {
  authCache: AuthCache;
  peers: PeerClient;
}

/**
 * Finds the caller, synchronously if it is cached; throws a fault if it may not use the route, or lacks what it `needs`
 * instead.
 */
export function authenticate(
  request: RouteRequest,
  { authCache, peers }: AuthDeps,
  needs: Needs | undefined = request.routeOptions.config.needs,
): Promise<void> | undefined {
  if (needs === "replica" && peers.isPeer(request.headers.authorization ?? "", request.url)) {
    return undefined;
  }
  return authenticateKey(request, authCache, needs);
}

/** Authenticates a caller that is no replica. */
export function authenticateKey(
  request: RouteRequest,
  authCache: AuthCache,
  needs: Needs | undefined,
): Promise<void> | undefined {
  if (needs === "nothing") return undefined;
  if (typeof needs === "object" && needs.openPage && acceptsHtml(request)) return undefined;
  const credential = credentialOf(request);
  if (!credential && typeof needs === "object" && needs.keyOptional) return undefined;
  if (credential?.session) requireOwnPage(request);
  const found = credential ? principalOf(authCache, credential) : undefined;
  const authorizePrincipal = (principal: Principal | undefined) => {
    if (principal?.kind === "account") authCache.uses.note(principal.key.id);
    authorize(request, needs, credential, principal);
    return requireOwnership(request, authCache);
  };
  if (found instanceof Promise) return found.then(authorizePrincipal);
  return authorizePrincipal(found);
}

/** For roles that see only their own: refuses what the path and the query name of others. */
function requireOwnership(request: RouteRequest, { ownership }: AuthCache) {
  const key = ownershipSubject(request);
  return key ? requireOwnThings(request, key, ownership) : undefined;
}

/** Refuses what a body names of others, after it was read. */
export function requireOwnBody(
  request: RouteRequest,
  { authCache: { ownership } }: Pick<AuthDeps, "authCache">,
): Promise<void> | undefined {
  const key = ownershipSubject(request);
  return key ? requireOwnInBody(request, key, ownership) : undefined;
}

/** The key, on a route of resources or jobs. The resolvers check a GraphQL document, field by field. */
function ownershipSubject({ principal, routeOptions }: RouteRequest): ApiKey | null {
  const { needs } = routeOptions.config;
  if (principal?.kind !== "account" || typeof needs !== "object" || needs.of === "graphql")
    return null;
  return subjectOf(needs) === "resources" || subjectOf(needs) === "use" ? principal.key : null;
}

function authorize(
  request: RouteRequest,
  needs: Exclude<Needs, "nothing"> | undefined,
  credential: Credential | null,
  principal: Principal | undefined,
): void {
  if (!credential || !principal || !needs) throw new Fault("unauthorized");
  request.principal = principal;
  request.bearer = credential.bearer;
  if (needs === "replica") {
    throw new Fault("forbidden", { detail: "Only another replica may use this route." });
  }
  if (needs === "worker") requireWorker(request, principal);
  else requirePermission(request, principal, needs);
}

/** Whether the caller is still authorized, in the same role. */
export function isStillAuthorized(
  request: RouteRequest,
  principal: Principal | undefined,
): boolean {
  const before = request.principal;
  const { needs } = request.routeOptions.config;
  if (!principal || typeof needs !== "object" || roleOf(principal) !== roleOf(before)) return false;
  try {
    requirePermission(request, principal, needs);
    return true;
  } catch {
    return false;
  }
}

const roleOf = (principal: Principal | null) =>
  principal?.kind === "account" ? (principal.key.member?.role ?? null) : null;

function requireWorker(request: RouteRequest, principal: Principal): void {
  const { endpointId, workerId } = request.params as { endpointId: string; workerId: string };
  if (principal.kind !== "worker") {
    throw new Fault("forbidden", { detail: "Only a worker's own key may use its routes." });
  }
  // An entry point without variable expansion sends the variable's name; the key identifies the worker.
  const claimed = workerId === "$RUNPOD_POD_ID" ? principal.worker.id : workerId;
  if (principal.worker.id !== claimed || principal.worker.endpointId !== endpointId) {
    throw new Fault("forbidden", { detail: "This key belongs to another worker." });
  }
}

function requireOwnPod(
  request: RouteRequest,
  podId: string,
  { of, ownPod }: Exclude<Needs, string>,
): void {
  // A GraphQL document names its Pod in its arguments, which the resolvers check.
  const isGraphql = of === "graphql";
  if (ownPod && (isGraphql || (request.params as { podId?: string }).podId === podId)) return;
  const detail = "A Pod's own key can only read, stop and delete its Pod.";
  throw new Fault("forbidden", { detail });
}

function requirePermission(
  request: RouteRequest,
  principal: Principal,
  needs: Exclude<Needs, string>,
): void {
  if (principal.kind === "worker") {
    throw new Fault("forbidden", {
      detail: "A worker's key may only use the worker's own routes.",
    });
  }
  if (principal.kind === "pod") {
    requireOwnPod(request, principal.pod.id, needs);
    return;
  }
  const { permissions, member } = principal.key;
  if (!covers(permissions[needs.of], needs.access)) {
    throw new Fault("forbidden", {
      detail: `This key has no ${needs.access} permission for the ${needs.of} interface.`,
    });
  }
  requireRole(member?.role ?? null, needs);
  const { endpointId } = request.params as { endpointId?: string };
  const only = needs.of === "queue" ? permissions.endpoints : null;
  if (only && endpointId && !only.includes(endpointId)) {
    throw new Fault("forbidden", { detail: `This key has no access to endpoint ${endpointId}.` });
  }
}

/** The resolvers check the roles of a GraphQL document, field by field. */
function requireRole(role: Role | null, { of, access, area }: Exclude<Needs, string>): void {
  if (of === "graphql") return;
  const subject = subjectOf({ of, area });
  if (!roleCovers(role, subject, access)) throw roleFault(role!, subject, access);
}

const subjectOf = ({ of, area }: Pick<Exclude<Needs, string>, "of" | "area">): Area =>
  area ?? (of === "queue" ? "use" : "resources");

export function roleFault(role: Role, area: Area, access: "read" | "write"): Fault {
  const detail = `Your role, ${role}, has no ${access} permission for ${areas[area]}.`;
  return new Fault("forbidden", { detail });
}

const areas: Record<Area, string> = {
  own: "your own account data",
  resources: "Pods, endpoints and other resources",
  use: "jobs and terminals",
  billing: "billing",
  account: "the account and its members",
};
