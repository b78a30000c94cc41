// The context of a request, passed to every resolver.

import { covers } from "../../../domain/access.ts";
import { type ApiKey, type Creator, creatorOf } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
import type { IdempotencyKey } from "../../../domain/idempotency-key.ts";
import { type Area, roleCovers } from "../../../domain/member/roles.ts";
import type { AuditAction } from "../../../flows/audit/action.ts";
import type { Capacity } from "../../../flows/catalog/capacity.ts";
import { roleFault } from "../../http/auth/authorize.ts";

/** A module of resolvers names the dependencies that it needs. */
export interface GraphqlContext<Deps = unknown> {
  deps: Deps;
  /** Null if the request has no key, or a Pod's own. */
  key: ApiKey | null;
  /** The Pod whose own key the request has. */
  ownPod: { id: string; accountId: string } | null;
  /** The act of a mutation for the audit log; null for an unknown caller. */
  act(root: string, resourceId: string): AuditAction | null;
  /** Where the request comes from. */
  caller: { address: string; agent: string };
  /** The address that the client called, or the configured one. */
  origin: string;
  /** The Idempotency-Key, if the request has one. */
  once: IdempotencyKey | null;
  /** Free capacity of the machines, read once per request. */
  capacity(): Promise<Capacity>;
}

/** The caller's account; throws if its key or role does not cover the access. */
export function accountFor(
  { key, ownPod }: GraphqlContext,
  access: "read" | "write",
  area: Area = "resources",
): string {
  if (ownPod) return ownPod.accountId;
  if (!key) throw new Fault("unauthorized");
  if (!covers(key.permissions.graphql, access)) {
    const detail = `This key has no ${access} permission for the graphql interface.`;
    throw new Fault("forbidden", { detail });
  }
  const role = key.member?.role ?? null;
  if (!roleCovers(role, area, access)) throw roleFault(role!, area, access);
  return key.accountId;
}

/** What a resource that the document creates records of its caller. */
export function creatorFor(context: GraphqlContext): Creator {
  const accountId = accountFor(context, "write");
  return context.key ? creatorOf(context.key) : { accountId, keyId: "" };
}
