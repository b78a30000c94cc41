// Reading the members of an account.

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import type { Store } from "../../store/engine/store.ts";
import { findMember, listMembers } from "../../store/member/member.ts";

export function membersOf({ store }: { store: Store }, accountId: string): Promise<Member[]> {
  return store.read(listMembers, accountId);
}

export async function memberOf(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<Member> {
  const member = await store.read(findMember, id, accountId);
  if (member) return member;
  throw new Fault("member_not_found", { id });
}

/** The member that owns a key; null for a key of the account. */
export async function memberOfKey(
  { store }: { store: Store },
  { accountId, member }: ApiKey,
): Promise<Member | null> {
  return member && ((await store.read(findMember, member.id, accountId)) ?? null);
}
