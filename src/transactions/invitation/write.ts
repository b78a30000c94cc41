// Inserting and deleting invitations to an account.

import { Fault } from "../../domain/fault.ts";
import type { Invitation } from "../../domain/member/member.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteInvitation, insertInvitation } from "../../store/invitation/invitation.ts";
import { lockMemberShared } from "../../store/member/member.ts";
import { requireRoom } from "../account/require-room.ts";
import { mayInvite } from "./withdraw.ts";

/** `hash` is the hash of the invitation's token. */
export function* addInvitation(invitation: Invitation, hash: string): Tx<Invitation | Fault> {
  const refusal =
    (yield* requireInviter(invitation)) ?? (yield* requireRoom("invitation", invitation.accountId));
  if (refusal) return refusal;
  yield* insertInvitation(invitation, hash);
  return invitation;
}

/** The request may have passed before a commit that removed the member or lowered its role. */
function* requireInviter({ memberId, accountId }: Invitation): Tx<Fault | null> {
  if (memberId === null) return null;
  const member = yield* lockMemberShared(memberId, accountId);
  return member && mayInvite(member.role) ? null : new Fault("unauthorized");
}

export function* removeInvitation(accountId: string, id: string): Tx<Fault | null> {
  const isDeleted = yield* deleteInvitation(id, accountId);
  return isDeleted ? null : new Fault("invitation_not_found", { id });
}
