// The member that a list is limited to by "createdBy".

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { MemberName, Owned } from "../../domain/member/member.ts";
import { limitedMember, notOwner } from "./ownership.ts";

/** The id of the member that the value names; "me" is the caller's. Null without a value. */
export function ownerNamed(
  createdBy: string | undefined,
  by: Pick<ApiKey, "member"> | null,
): string | null {
  const limited = by && limitedMember(by);
  if (limited) return requireSelf(createdBy, limited.id);
  if (createdBy !== "me") return createdBy ?? null;
  if (by?.member) return by.member.id;
  const detail = '"createdBy" can be "me" only with the key of a member; give the id of a member.';
  throw new Fault("invalid_query", { detail });
}

/** A role that sees only its own gets no list of others' things. */
function requireSelf(createdBy: string | undefined, memberId: string): string {
  if (createdBy === undefined || createdBy === "me" || createdBy === memberId) return memberId;
  throw notOwner('"createdBy" can only be "me"');
}

/** The templates of a list that their reader may see: those of colleagues are left out for a role that sees only its own. */
export function visibleTemplates<Item extends Owned & { accountId: string }>(
  items: readonly Item[],
  by: Pick<ApiKey, "accountId" | "member"> | null,
): readonly Item[] {
  const limited = by && limitedMember(by);
  if (!limited) return items;
  return items.filter(
    ({ accountId, owner }) => accountId !== by.accountId || owner?.id === limited.id,
  );
}

/** The items that belong to the member that the value names; all without a value. */
export function ownedBy<Item extends Owned>(
  items: readonly Item[],
  createdBy: string | null | undefined,
  by: Pick<ApiKey, "member"> | null,
): Item[] {
  const ownerId = ownerNamed(createdBy ?? undefined, by);
  return items.filter((item) => isOwnedBy(ownerId, item));
}

/** Null is any owner. */
export function isOwnedBy(
  ownerId: string | null,
  { owner }: { owner?: Pick<MemberName, "id"> | null | undefined },
): boolean {
  return ownerId === null || owner?.id === ownerId;
}
