// The context of a request, passed to every resolver.

import type { Vault } from "../../../base/vault.ts";
import { covers } from "../../../domain/access.ts";
import { type ApiKey, type Creator, creatorOf } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
import type { IdempotencyKey } from "../../../domain/idempotency-key.ts";
import { type Area, roleCovers } from "../../../domain/member/roles.ts";
import type { Protocol } from "../../../domain/protocol.ts";
import type { AuditAction } from "../../../flows/audit/action.ts";
import type { Capacity } from "../../../flows/catalog/capacity.ts";
import type { CapacityDeps } from "../../../flows/endpoint/capacity.ts";
import type { EndpointRules } from "../../../flows/endpoint/check.ts";
import type { SharedArchives } from "../../../flows/flash-app/shared-archives.ts";
import type { FlashUploadDeps } from "../../../flows/flash-app/upload.ts";
import type { Ownership } from "../../../flows/member/ownership.ts";
import type { PodDeps } from "../../../flows/pod/create.ts";
import type { RateLimits } from "../../../flows/rate-limits.ts";
import type { LogSources } from "../../../flows/replica/log-source.ts";
import { roleFault } from "../../http/auth/authorize.ts";
import type { BodyRooms } from "../../http/body/receive.ts";
import type { Addresses } from "../../management/deps.ts";

export interface GraphqlDeps
  extends PodDeps,
    EndpointRules,
    CapacityDeps,
    LogSources,
    FlashUploadDeps,
    Pick<Addresses, "publicUrl"> {
  protocol: Protocol;
  vault: Vault;
  ownership: Ownership;
  sharedArchives: SharedArchives;
  bodyRooms: BodyRooms;
  rates: RateLimits;
  /** True if clients may query the schema itself. */
  introspection: boolean;
}

export interface Context {
  deps: GraphqlDeps;
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
  { key, ownPod }: Context,
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
export function creatorFor(context: Context): Creator {
  const accountId = accountFor(context, "write");
  return context.key ? creatorOf(context.key) : { accountId, keyId: "" };
}
