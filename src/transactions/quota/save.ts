// Changes the quota of members by default, or of one member or project. What is held beyond a lower limit stays.

import { Fault } from "../../domain/fault.ts";
import { changedQuota, type QuotaChanges } from "../../domain/quota/quota.ts";
import { holdAccount } from "../../store/account/account.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { isMemberOf } from "../../store/member/member.ts";
import { type QuotaScope, type Quotas, quotasOf, saveQuota } from "../../store/quota/quota.ts";

/** Saves the quota of members, by an admin of their account. What a member who was removed has left counts on. */
export function* saveMemberQuota(
  accountId: string,
  id: string | null,
  changes: QuotaChanges,
): Tx<Fault | null> {
  if (id !== null && !(yield* isMemberOf(id, accountId))) {
    return new Fault("member_not_found", { id });
  }
  const scope: QuotaScope = id === null ? { scope: "members" } : { scope: "member", holderId: id };
  yield* changeQuota(accountId, scope, changes);
  return null;
}

/** What is created meanwhile waits, and then sees the new limits. */
export function* changeQuota(
  accountId: string,
  scope: QuotaScope,
  changes: QuotaChanges,
): Tx<void> {
  yield* holdAccount(accountId);
  const quotas = yield* quotasOf(accountId);
  const before = quotas && quotaIn(quotas, scope);
  yield* saveQuota(accountId, scope, changedQuota(before ?? {}, changes));
  yield* notify(topic.queuedPods);
}

function quotaIn({ byMember, byProject, ...others }: Quotas, scope: QuotaScope) {
  if (scope.scope === "member") return byMember.get(scope.holderId);
  if (scope.scope === "project") return byProject.get(scope.holderId);
  return others[scope.scope];
}
