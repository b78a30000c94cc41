// What the sign-in provider says about a member: name, address and role.

import type { Member } from "../../domain/member/member.ts";
import { appendSystemAct } from "../../store/audit/audit.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { changeMember } from "../../store/member/member.ts";
import { withdrawForRole } from "../invitation/withdraw.ts";

/** Records the change of the role, if it is one. */
export function* saveFromProvider(before: Member, after: Member, now: number): Tx<void> {
  const isSame = (["role", "name", "email"] as const).every(
    (field) => before[field] === after[field],
  );
  if (isSame) return;
  yield* changeMember(after);
  yield* withdrawForRole(before, after);
  if (before.role === after.role) return;
  yield* appendSystemAct({
    accountId: after.accountId,
    at: now,
    operation: "changeRoleBySignIn",
    resourceType: "member",
    resourceId: after.id,
    detail: `${before.role} -> ${after.role}`,
  });
}
