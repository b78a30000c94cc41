// Members in the store. Whoever was removed is kept, for what he did is told by his name.

import type { Member } from "../../domain/member/member.ts";
import type { Role } from "../../domain/member/roles.ts";
import { change, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

interface MemberRow {
  id: string;
  account_id: string;
  email: string;
  name: string;
  role: Role;
  created_at: number;
}

export function* insertMember(member: Member): Verb<void> {
  yield* change(
    `insert into member (id, account_id, email, name, role, created_at) values (?, ?, ?, ?, ?, ?)`,
    member.id,
    member.accountId,
    member.email,
    member.name,
    member.role,
    member.createdAt,
  );
  yield* ring(topic.changed(member.accountId, "member", member.id));
}

export function* listMembers(accountId: string): Verb<Member[]> {
  const found = yield* rows<MemberRow>(
    "select * from member where account_id = ? and removed_at is null order by created_at, id",
    accountId,
  );
  return found.map(fromRow);
}

/** Not one who was removed. */
export function* findMember(id: string, accountId: string): Verb<Member | undefined> {
  return yield* memberWhere("id = ? and account_id = ?", id, accountId);
}

/** The same, and nobody else changes him before the surrounding turn is committed. */
export function* lockMember(id: string, accountId: string): Verb<Member | undefined> {
  return yield* memberWhere("id = ? and account_id = ? /*+ for update */", id, accountId);
}

/** The same of whoever has this address. */
export function* lockMemberAt(email: string, accountId: string): Verb<Member | undefined> {
  return yield* memberWhere("email = ? and account_id = ? /*+ for update */", email, accountId);
}

/** The keys of a member hang on his role. */
export function* changeMember({ id, accountId, name, role }: Member): Verb<void> {
  yield* change("update member set name = ?, role = ? where id = ?", name, role, id);
  yield* ring(topic.directory);
  yield* ring(topic.changed(accountId, "member", id));
}

export function* removeMember({ id, accountId }: Member, now: number): Verb<void> {
  yield* change("update member set removed_at = ? where id = ?", now, id);
  yield* ring(topic.changed(accountId, "member", id));
}

function* memberWhere(where: string, ...params: string[]): Verb<Member | undefined> {
  const found = yield* row<MemberRow>(
    `select * from member where removed_at is null and ${where}`,
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
