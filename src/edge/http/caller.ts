// Who sends a request, and whether they may. Every route declares what it needs; a route that
// declares nothing is open to nobody.

import type { FastifyRequest } from "fastify";
import { covers } from "../../domain/access.ts";
import { Fault } from "../../domain/fault.ts";
import { type Area, type Role, roleCovers } from "../../domain/member/roles.ts";
import type { Directory, Holder } from "../../flows/directory.ts";
import type { Neighbours } from "../../flows/replica/neighbours.ts";
import { mustBeOwnPage } from "./own-page.ts";
import { sessionIn } from "./session-cookie.ts";

/**
 * What a route needs of its caller: a permission, a worker's own key, to be another replica, or no
 * key at all. Where `orNone` is set, no key will do as well, but not a wrong one.
 */
export type Needs =
  | {
      of: "rest" | "graphql" | "queue";
      access: "read" | "write";
      area?: Area;
      orNone?: true;
      ownPod?: boolean;
    }
  | "worker"
  | "replica"
  | "nobody";

/** The form of the credential: the specification sends the bare key, every SDK sends Bearer. */
export interface Credential {
  secret: string;
  bearer: boolean;
  /** True where it is a session's, and came as a cookie. */
  session?: true;
}

declare module "fastify" {
  interface FastifyContextConfig {
    needs?: Needs;
  }
  interface FastifyRequest {
    holder: Holder | null;
    bearer: boolean;
  }
}

export function credentialOf(request: FastifyRequest): Credential | null {
  const header = request.headers.authorization;
  if (!header) return inAddress(request) ?? inCookie(request);
  if (/^bearer /i.test(header)) return { secret: header.slice(7).trim(), bearer: true };
  return { secret: header.trim(), bearer: false };
}

/** Clients of the GraphQL interface send their key in the address as well. */
function inAddress(request: FastifyRequest): Credential | null {
  const { needs } = request.routeOptions.config;
  if (typeof needs !== "object" || needs.of !== "graphql") return null;
  const { api_key: key } = request.query as { api_key?: string | string[] };
  const secret = typeof key === "string" ? key.trim() : "";
  return secret === "" ? null : { secret, bearer: false };
}

/** Browsers that signed in. A header says more: whoever sends one means that one. */
function inCookie(request: FastifyRequest): Credential | null {
  if (typeof request.routeOptions.config.needs !== "object") return null;
  const secret = sessionIn(request);
  return secret ? { secret, bearer: true, session: true } : null;
}

export function holderOf(
  directory: Directory,
  { secret, session }: Credential,
): Holder | undefined | Promise<Holder | undefined> {
  if (secret === "") return undefined;
  return session ? directory.visitor(secret) : directory.holder(secret);
}

export interface Doors {
  directory: Directory;
  neighbours: Neighbours;
}

/** Finds the caller, at once where it is remembered; throws the fault if the route is not theirs. */
export function admit(
  request: FastifyRequest,
  { directory, neighbours }: Doors,
): Promise<void> | undefined {
  // Where there is no route, that is the answer, whoever asks.
  if (request.is404) return undefined;
  const needs = request.routeOptions.config.needs;
  if (needs === "nobody") return undefined;
  if (needs === "replica" && neighbours.admit(request.headers.authorization ?? "", request.url)) {
    return undefined;
  }
  const credential = credentialOf(request);
  if (!credential && typeof needs === "object" && needs.orNone) return undefined;
  if (credential?.session) mustBeOwnPage(request);
  const found = credential ? holderOf(directory, credential) : undefined;
  const enter = (holder: Holder | undefined) => {
    if (holder?.kind === "account") directory.uses.note(holder.key.id);
    letIn(request, needs, credential, holder);
  };
  if (found instanceof Promise) return found.then(enter);
  enter(found);
  return undefined;
}

function letIn(
  request: FastifyRequest,
  needs: Exclude<Needs, "nobody"> | undefined,
  credential: Credential | null,
  holder: Holder | undefined,
): void {
  if (!credential || !holder || !needs) throw new Fault("unauthorized");
  request.holder = holder;
  request.bearer = credential.bearer;
  if (needs === "replica") {
    throw new Fault("forbidden", { detail: "Only another replica may ask for this." });
  }
  if (needs === "worker") mustBeWorker(request, holder);
  else mustPermit(request, holder, needs);
}

/** Whether who was let in would be again, in the same role. */
export function stillMay(request: FastifyRequest, holder: Holder | undefined): boolean {
  const before = request.holder;
  const { needs } = request.routeOptions.config;
  if (!holder || typeof needs !== "object" || roleOf(holder) !== roleOf(before)) return false;
  try {
    mustPermit(request, holder, needs);
    return true;
  } catch {
    return false;
  }
}

const roleOf = (holder: Holder | null) =>
  holder?.kind === "account" ? (holder.key.member?.role ?? null) : null;

function mustBeWorker(request: FastifyRequest, holder: Holder): void {
  const { endpointId, workerId } = request.params as { endpointId: string; workerId: string };
  if (holder.kind !== "worker") {
    throw new Fault("forbidden", { detail: "Only a worker's own key opens its routes." });
  }
  // An entry point that expands nothing sends its variable's name: the key says who it is.
  const claimed = workerId === "$RUNPOD_POD_ID" ? holder.worker.id : workerId;
  if (holder.worker.id !== claimed || holder.worker.endpoint_id !== endpointId) {
    throw new Fault("forbidden", { detail: "This key belongs to another worker." });
  }
}

function mustBeOwnPod(
  request: FastifyRequest,
  podId: string,
  { of, ownPod }: Exclude<Needs, string>,
): void {
  // A document names its Pod inside, and is looked into there.
  const inside = of === "graphql";
  if (ownPod && (inside || (request.params as { podId?: string }).podId === podId)) return;
  const detail = "A Pod's own key reads, stops and deletes its Pod, and opens nothing else.";
  throw new Fault("forbidden", { detail });
}

function mustPermit(request: FastifyRequest, holder: Holder, needs: Exclude<Needs, string>): void {
  if (holder.kind === "worker") {
    throw new Fault("forbidden", {
      detail: "A worker's key opens its own worker routes and nothing else.",
    });
  }
  if (holder.kind === "pod") {
    mustBeOwnPod(request, holder.pod.id, needs);
    return;
  }
  const { permissions, member } = holder.key;
  if (!covers(permissions[needs.of], needs.access)) {
    throw new Fault("forbidden", {
      detail: `This key has no ${needs.access} permission for the ${needs.of} interface.`,
    });
  }
  mustBeOfRole(member?.role ?? null, needs);
  const { endpointId } = request.params as { endpointId?: string };
  const only = needs.of === "queue" ? permissions.endpoints : null;
  if (only && endpointId && !only.includes(endpointId)) {
    throw new Fault("forbidden", { detail: `This key does not open endpoint ${endpointId}.` });
  }
}

/** A document's fields are each about something, and are looked at one by one. */
function mustBeOfRole(role: Role | null, { of, access, area }: Exclude<Needs, string>): void {
  if (of === "graphql") return;
  const about = area ?? (of === "queue" ? "use" : "resources");
  if (!roleCovers(role, about, access)) throw notOfRole(role!, about, access);
}

export function notOfRole(role: Role, area: Area, access: "read" | "write"): Fault {
  const detail = `Your role, ${role}, has no ${access} permission for what is about ${areas[area]}.`;
  return new Fault("forbidden", { detail });
}

const areas: Record<Area, string> = {
  own: "yourself",
  resources: "Pods, endpoints and the like",
  use: "jobs and terminals",
  billing: "billing",
  account: "the account and its people",
};
