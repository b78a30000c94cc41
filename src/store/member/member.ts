// The table `member`. A removed member's row stays, so that the audit log can name them.

import type { Member, MemberName } from "../../domain/member/member.ts";
import type { Role } from "../../domain/member/roles.ts";
import { topic } from "../engine/notifier.ts";
import { columnList } from "../engine/row/column-list.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface MemberRow {
  id: string;
  account_id: string;
  email: string;
  name: string;
  role: Role;
  created_at: number;
}

const COLUMNS = columnList<MemberRow>()("id", "account_id", "email", "name", "role", "created_at");

export function* insertMember(member: Member): Tx<void> {
  yield* change(
    `insert into member (id, account_id, email, name, role, created_at) values (?, ?, ?, ?, ?, ?)`,
    member.id,
    member.accountId,
    member.email,
    member.name,
    member.role,
    member.createdAt,
  );
  yield* notify(topic.changed(member.accountId, "member", member.id));
}

export function* listMembers(accountId: string): Tx<Member[]> {
  const found = yield* rows<MemberRow>(
    `select ${COLUMNS} from member where account_id = ? and removed_at is null order by created_at, id`,
    accountId,
  );
  return found.map(fromRow);
}

/** Undefined if the member was removed. */
export function* findMember(id: string, accountId: string): Tx<Member | undefined> {
  return yield* memberWhere("id = ? and account_id = ?", id, accountId);
}

/** Whether the member was not removed, nor is until the transaction commits. */
export function* lockMembershipShared(id: string): Tx<boolean> {
  const sql = "select id from member where id = ? and removed_at is null /*+ for share */";
  return (yield* row(sql, id)) !== undefined;
}

/** True also for a member that was removed, whose Pods and endpoints may have stayed. */
export function* isMemberOf(id: string, accountId: string): Tx<boolean> {
  const sql = "select id from member where id = ? and account_id = ?";
  return (yield* row(sql, id, accountId)) !== undefined;
}

/** The name of a member, also of one that was removed. */
export function* findMemberName(id: string): Tx<MemberName | undefined> {
  return yield* row<MemberName>("select id, name from member where id = ?", id);
}

/** The role of a member, also of one that was removed: its Pods and endpoints may have stayed. */
export function* findRole(id: string): Tx<Role | undefined> {
  return (yield* row<{ role: Role }>("select role from member where id = ?", id))?.role;
}

/** A member that was not removed, locked until the transaction commits. */
export function* lockMember(id: string, accountId: string): Tx<Member | undefined> {
  return yield* memberWhere("id = ? and account_id = ? /*+ for update */", id, accountId);
}

/** A member that was not removed, nor is it or its role changed until the transaction commits. */
export function* lockMemberShared(id: string, accountId: string): Tx<Member | undefined> {
  return yield* memberWhere("id = ? and account_id = ? /*+ for share */", id, accountId);
}

/** The member with this email address, locked until the transaction commits. */
export function* lockMemberAt(email: string, accountId: string): Tx<Member | undefined> {
  return yield* memberWhere("email = ? and account_id = ? /*+ for update */", email, accountId);
}

/** The rights of the member's keys depend on the role. */
export function* changeMember({ id, accountId, email, name, role }: Member): Tx<void> {
  const sql = "update member set email = ?, name = ?, role = ? where id = ?";
  yield* change(sql, email, name, role, id);
  yield* notify(topic.authCache);
  yield* notify(topic.changed(accountId, "member", id));
}

export function* removeMember({ id, accountId }: Member, now: number): Tx<void> {
  yield* change("update member set removed_at = ? where id = ?", now, id);
  yield* notify(topic.changed(accountId, "member", id));
}

function* memberWhere(where: string, ...params: string[]): Tx<Member | undefined> {
  const found = yield* row<MemberRow>(
    `select ${COLUMNS} from member where removed_at is null and ${where}`,
    ...params,
  );
  return found && fromRow(found);
}

function fromRow(found: MemberRow): Member {
  return {
    id: found.id,
    accountId: found.account_id,
    email: found.email,
    name: found.name,
    role: found.role,
    createdAt: found.created_at,
  };
}
