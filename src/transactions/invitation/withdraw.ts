// Withdraws invitations whose reason has ended: those to a person whose role was decided anew, and those of a member that may
// no longer invite.

import type { Member } from "../../domain/member/member.ts";
import { roleCovers } from "../../domain/member/roles.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteInvitationsBy, deleteInvitationsTo } from "../../store/invitation/invitation.ts";

/** Whether a member of the role may invite. */
export const mayInvite = (role: Member["role"]): boolean => roleCovers(role, "account", "write");

/** A link that was sent before must not give back the role that the change took. The caller holds the member. */
export function* withdrawForRole(before: Member, { role }: Pick<Member, "role">): Tx<void> {
  if (before.role === role) return;
  yield* deleteInvitationsTo(before.email, before.accountId);
  if (!mayInvite(role)) yield* deleteInvitationsBy(before.id, before.accountId);
}

/** A member that was removed must not return by a link, nor by an invitation that it made. The caller holds the member. */
export function* withdrawForRemoval({ id, email, accountId }: Member): Tx<void> {
  yield* deleteInvitationsTo(email, accountId);
  yield* deleteInvitationsBy(id, accountId);
}
