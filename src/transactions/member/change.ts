// Changes of an account's members.

import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { changeMember, lockMember } from "../../store/member/member.ts";
import { withdrawForRole } from "../invitation/withdraw.ts";

export function* saveMemberChanges(
  accountId: string,
  id: string,
  changes: Partial<Pick<Member, "name" | "role">>,
): Tx<Member | Fault> {
  const before = yield* lockMember(id, accountId);
  if (!before) return new Fault("member_not_found", { id });
  const after = { ...before, ...changes };
  yield* changeMember(after);
  yield* withdrawForRole(before, after);
  return after;
}
