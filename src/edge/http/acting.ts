// What a request is, to the audit log: who asks, from where, for what.

import type { FastifyRequest } from "fastify";
import type { Actor } from "../../domain/audit/entry.ts";
import type { Asked } from "../../flows/audit/act.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation by its name, where it changes something. */
    changes?: string;
  }
}

/** Null where nobody is known who asks. */
export function askedBy(
  request: FastifyRequest,
  via: "rest" | "graphql",
  { operation, resourceType, resourceId }: Pick<Asked, "operation" | "resourceType" | "resourceId">,
): Asked | null {
  const who = actorOf(request);
  if (!who) return null;
  return { ...who, via, operation, resourceType, resourceId, address: request.ip };
}

function actorOf({ holder }: FastifyRequest): { accountId: string; actor: Actor } | null {
  if (holder?.kind === "account") {
    const { id, accountId } = holder.key;
    return { accountId, actor: { kind: "key", keyId: id } };
  }
  if (holder?.kind !== "pod") return null;
  const { id, accountId } = holder.pod;
  return { accountId, actor: { kind: "pod", podId: id } };
}

/** Nouns of the addresses below /v1. */
const types: Record<string, string> = {
  pods: "pod",
  templates: "template",
  endpoints: "endpoint",
  networkvolumes: "networkVolume",
  containerregistryauth: "containerRegistryAuth",
  secrets: "secret",
  "ssh-keys": "sshKey",
  keys: "key",
  members: "member",
  invitations: "invitation",
  accounts: "account",
  account: "account",
  balance: "account",
  budgets: "budget",
  "price-book": "priceBook",
  "savings-plans": "savingsPlan",
  machines: "machine",
  sessions: "session",
  session: "session",
};

/** What a request to the management interface changes; null where it changes nothing. */
export function changeAsked(request: FastifyRequest): Asked | null {
  const { url = "", config } = request.routeOptions;
  if (!config.changes) return null;
  const noun = url.split("/")[2] ?? "";
  const [first = ""] = Object.values(request.params as Record<string, string>);
  const about = { resourceType: types[noun] ?? noun, resourceId: first };
  return askedBy(request, "rest", { operation: config.changes, ...about });
}
