// A member is given another role or name, or is removed. Both hold at once for all of his keys.

import type { Clock } from "../../base/clock.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import { revokeKeysOf } from "../../store/account/account.ts";
import { changeMember, lockMember, removeMember } from "../../store/member/member.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { mustBeWhole } from "../account/may-not-give.ts";

export async function changeMemberOf(
  { store }: { store: Store },
  by: ApiKey,
  id: string,
  changes: Partial<Pick<Member, "name" | "role">>,
): Promise<Member> {
  mustBeWhole(by);
  const member = await store.write(keepChanges, by.accountId, id, changes);
  if (member instanceof Fault) throw member;
  return member;
}

export async function removeMemberOf(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
): Promise<void> {
  if (await store.write(remove, accountId, id, clock.now())) return;
  throw new Fault("member_not_found", { id });
}

function* keepChanges(
  accountId: string,
  id: string,
  changes: Partial<Pick<Member, "name" | "role">>,
): Verb<Member | Fault> {
  const before = yield* lockMember(id, accountId);
  if (!before) return new Fault("member_not_found", { id });
  const after = { ...before, ...changes };
  yield* changeMember(after);
  return after;
}

function* remove(accountId: string, id: string, now: number): Verb<boolean> {
  const member = yield* lockMember(id, accountId);
  if (!member) return false;
  yield* removeMember(member, now);
  yield* revokeKeysOf(id, now);
  return true;
}
