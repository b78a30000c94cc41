// What resolvers are given beside their arguments.

import { covers } from "../../domain/access.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { type Area, roleCovers } from "../../domain/member/roles.ts";
import type { Asked } from "../../flows/audit/act.ts";
import type { Capacity } from "../../flows/catalog/capacity.ts";
import type { Once } from "../../store/idempotency.ts";
import { notOfRole } from "../http/caller.ts";
import type { RestDeps } from "../rest-v1/deps.ts";

export interface GraphqlDeps extends RestDeps {
  /** Whether the schema can be asked for. */
  introspection: boolean;
}

export interface Context {
  deps: GraphqlDeps;
  /** Null where no key was sent, or a Pod's own. */
  key: ApiKey | null;
  /** The Pod whose own key was sent. */
  ownPod: { id: string; accountId: string } | null;
  /** Who asks for a change, and where from; null where nobody is known. */
  asks(root: string, resourceId: string): Asked | null;
  /** The Idempotency-Key, where one was sent. */
  once: Once | null;
  /** What machines have free; looked at once for each request. */
  capacity(): Promise<Capacity>;
}

/** The account that may ask for this. */
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
  if (!roleCovers(role, area, access)) throw notOfRole(role!, area, access);
  return key.accountId;
}
