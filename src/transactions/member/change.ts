// Changes of an account's members, with the keys that they may no longer use.

import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import { revokeKeysOf } from "../../store/api-key/api-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { changeMember, lockMember, removeMember } from "../../store/member/member.ts";
import { deleteSshKeysOf } from "../../store/ssh-key/ssh-key.ts";

export function* saveMemberChanges(
  accountId: string,
  id: string,
  changes: Partial<Pick<Member, "name" | "role">>,
): Tx<Member | Fault> {
  const before = yield* lockMember(id, accountId);
  if (!before) return new Fault("member_not_found", { id });
  const after = { ...before, ...changes };
  yield* changeMember(after);
  return after;
}

export function* removeOwnMember(accountId: string, id: string, now: number): Tx<boolean> {
  const member = yield* lockMember(id, accountId);
  if (!member) return false;
  yield* removeMember(member, now);
  yield* revokeKeysOf(id, now);
  yield* deleteSshKeysOf(id, accountId);
  return true;
}
