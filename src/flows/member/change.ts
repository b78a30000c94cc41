// Changing and removing a member. The change applies immediately to all keys of the member.

import type { Clock } from "../../base/clock.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import type { Store } from "../../store/engine/store.ts";
import { requireFullAccess } from "../../transactions/api-key/require-grantable.ts";
import { removeOwnMember, saveMemberChanges } from "../../transactions/member/change.ts";

export async function changeMemberOf(
  { store }: { store: Store },
  by: ApiKey,
  id: string,
  changes: Partial<Pick<Member, "name" | "role">>,
): Promise<Member> {
  requireFullAccess(by);
  const member = await store.write(saveMemberChanges, by.accountId, id, changes);
  if (member instanceof Fault) throw member;
  return member;
}

export async function removeMemberOf(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
): Promise<void> {
  if (await store.write(removeOwnMember, accountId, id, clock.now())) return;
  throw new Fault("member_not_found", { id });
}
