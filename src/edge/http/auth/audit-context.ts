// The audit action of a request: its actor, its operation and its resource.

import type { FastifyRequest } from "fastify";
import type { Actor } from "../../../domain/audit/entry.ts";
import type { AuditAction } from "../../../flows/audit/action.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation's name, if it changes something. */
    changes?: string;
  }
}

/** Null for a request without a known actor. */
export function auditActionBy(
  request: FastifyRequest,
  via: "rest" | "graphql",
  {
    operation,
    resourceType,
    resourceId,
  }: Pick<AuditAction, "operation" | "resourceType" | "resourceId">,
): AuditAction | null {
  const caller = actorOf(request);
  if (!caller) return null;
  return { ...caller, via, operation, resourceType, resourceId, address: request.ip };
}

function actorOf({ principal }: FastifyRequest): { accountId: string; actor: Actor } | null {
  if (principal?.kind === "account") {
    const { id, accountId } = principal.key;
    return { accountId, actor: { kind: "key", keyId: id } };
  }
  if (principal?.kind !== "pod") return null;
  const { id, accountId } = principal.pod;
  return { accountId, actor: { kind: "pod", podId: id } };
}

/** Resource types by the first path segment below /v1 or /v2. */
const resourceTypes: Record<string, string> = {
  pods: "pod",
  clusters: "cluster",
  sandboxes: "sandbox",
  templates: "template",
  endpoints: "endpoint",
  serverless: "endpoint",
  schedules: "schedule",
  reservations: "reservation",
  "reservation-feed": "reservationFeed",
  exemptions: "exemption",
  networkvolumes: "networkVolume",
  "network-volumes": "networkVolume",
  containerregistryauth: "containerRegistryAuth",
  registries: "containerRegistryAuth",
  secrets: "secret",
  "ssh-keys": "sshKey",
  "s3-keys": "s3Key",
  keys: "key",
  members: "member",
  invitations: "invitation",
  accounts: "account",
  account: "account",
  balance: "account",
  budgets: "budget",
  "notification-rules": "notificationRule",
  notifications: "notification",
  "price-book": "priceBook",
  "savings-plans": "savingsPlan",
  machines: "machine",
  sessions: "session",
  session: "session",
};

/** The audit action of a request to the management API; null if it changes nothing. */
export function auditActionOf(request: FastifyRequest): AuditAction | null {
  const { url = "", config } = request.routeOptions;
  if (!config.changes) return null;
  const [, version, first = "", second = ""] = url.split("/");
  // REST v2 has secrets and SSH keys below the account.
  const noun = version === "v2" && first === "account" ? second : first;
  const [resourceId = ""] = Object.values(request.params as Record<string, string>);
  const about = { resourceType: resourceTypes[noun] ?? noun, resourceId };
  return auditActionBy(request, "rest", { operation: config.changes, ...about });
}
