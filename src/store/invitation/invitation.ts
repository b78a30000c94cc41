// The table `invitation`. The token of its link is stored as its SHA-256. An invitation that was
// accepted or revoked is deleted, so that it cannot be used twice.

import type { Invitation } from "../../domain/member/member.ts";
import type { Role } from "../../domain/member/roles.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface InvitationRow {
  id: string;
  account_id: string;
  email: string;
  role: Role;
  created_at: number;
  expires_at: number;
  member_id: string | null;
}

const columns = "id, account_id, email, role, created_at, expires_at, member_id";

export function* insertInvitation(invitation: Invitation, hash: string): Tx<void> {
  yield* change(
    `insert into invitation (${columns}, hash) values (?, ?, ?, ?, ?, ?, ?, ?)`,
    invitation.id,
    invitation.accountId,
    invitation.email,
    invitation.role,
    invitation.createdAt,
    invitation.expiresAt,
    invitation.memberId,
    hash,
  );
  yield* notify(topic.changed(invitation.accountId, "invitation", invitation.id));
}

/** Invitations that can still be accepted. */
export function* listInvitations(accountId: string, now: number): Tx<Invitation[]> {
  const found = yield* rows<InvitationRow>(
    `select ${columns} from invitation where account_id = ? and expires_at > ?
     order by created_at, id`,
    accountId,
    now,
  );
  return found.map(fromRow);
}

/** An invitation that can be accepted; undefined if it was accepted, was revoked or has expired. */
export function* findInvitation(hash: string, now: number): Tx<Invitation | undefined> {
  const sql = `select ${columns} from invitation where hash = ? and expires_at > ?`;
  const found = yield* row<InvitationRow>(sql, hash, now);
  return found && fromRow(found);
}

/** Whether an invitation to an address can still be accepted. */
export function* isInvited(email: string, accountId: string, now: number): Tx<boolean> {
  const sql =
    "select id from invitation where email = ? and account_id = ? and expires_at > ? limit 1";
  return (yield* row(sql, email, accountId, now)) !== undefined;
}

/** Deletes the invitations to an address; returns their ids. */
export function* deleteInvitationsTo(email: string, accountId: string): Tx<string[]> {
  return yield* deleteWhere(accountId, "email = ?", email);
}

/** Deletes the invitations that a member made. */
export function* deleteInvitationsBy(memberId: string, accountId: string): Tx<void> {
  yield* deleteWhere(accountId, "member_id = ?", memberId);
}

/** In one order: an invitation can be deleted for its address and for its maker at the same time. */
function* deleteWhere(accountId: string, where: string, param: string): Tx<string[]> {
  const sql = `select id from invitation where account_id = ? and ${where} order by id`;
  const deletedIds: string[] = [];
  for (const { id } of yield* rows<{ id: string }>(sql, accountId, param)) {
    if (yield* deleteInvitation(id, accountId)) deletedIds.push(id);
  }
  return deletedIds;
}

export function* deleteInvitation(id: string, accountId: string): Tx<boolean> {
  const sql = "delete from invitation where id = ? and account_id = ?";
  const isDeleted = (yield* change(sql, id, accountId)) > 0;
  if (isDeleted) yield* notify(topic.changed(accountId, "invitation", id));
  return isDeleted;
}

export function* forgetInvitations(now: number): Tx<void> {
  yield* rows("select id from invitation where expires_at <= ? order by id /*+ for update */", now);
  yield* change("delete from invitation where expires_at <= ?", now);
}

function fromRow(found: InvitationRow): Invitation {
  return {
    id: found.id,
    accountId: found.account_id,
    email: found.email,
    role: found.role,
    createdAt: found.created_at,
    expiresAt: found.expires_at,
    memberId: found.member_id,
  };
}
