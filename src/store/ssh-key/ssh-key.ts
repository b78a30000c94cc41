// The table `ssh_key`: public keys of members, and of accounts themselves.

import type { Role } from "../../domain/member/roles.ts";
import type { SshKey } from "../../domain/ssh-key/ssh-key.ts";
import { topic } from "../engine/notifier.ts";
import { columnList, qualified } from "../engine/row/column-list.ts";
import { labelsFrom, labelText } from "../engine/row/columns.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  id: string;
  account_id: string;
  member_id: string | null;
  role: Role | null;
  member_name: string | null;
  name: string;
  public_key: string;
  fingerprint: string;
  labels: string | null;
  created_at: number;
}

const COLUMNS = columnList<Omit<Row, "role" | "member_name">>()(
  "id",
  "account_id",
  "member_id",
  "name",
  "public_key",
  "fingerprint",
  "labels",
  "created_at",
);

/** SSH keys with the role and the name of the member that each belongs to. A member that is removed has no keys, not even one just added. */
const SELECT = `select ${qualified("ssh_key", COLUMNS)}, (select role from member where member.id = ssh_key.member_id) as role,
  (select name from member where member.id = ssh_key.member_id) as member_name
  from ssh_key where (member_id is null or exists (
    select 1 from member where member.id = ssh_key.member_id and removed_at is null
  ))`;

/** False if the member, or the account itself, has this key already. */
export function* insertSshKey(key: SshKey): Tx<boolean> {
  const inserted = yield* change(
    `insert into ssh_key (id, account_id, member_id, name, public_key, fingerprint, labels, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (account_id, coalesce(member_id, ''), fingerprint) do nothing`,
    key.id,
    key.accountId,
    key.member?.id ?? null,
    key.name,
    key.publicKey,
    key.fingerprint,
    labelText(key.labels),
    key.createdAt,
  );
  yield* notify(topic.changed(key.accountId, "sshKey", key.id));
  return inserted > 0;
}

export function* findSshKey(id: string): Tx<SshKey | undefined> {
  const found = yield* row<Row>(`${SELECT} and id = ?`, id);
  return found && fromRow(found);
}

export function* listSshKeys(accountId: string): Tx<SshKey[]> {
  const found = yield* rows<Row>(`${SELECT} and account_id = ? order by created_at, id`, accountId);
  return found.map(fromRow);
}

/** False if there is no such key. */
export function* labelSshKey({ id, accountId, labels }: SshKey): Tx<boolean> {
  const sql = "update ssh_key set labels = ? where id = ? and account_id = ?";
  const changed = yield* change(sql, labelText(labels), id, accountId);
  yield* notify(topic.changed(accountId, "sshKey", id));
  return changed > 0;
}

export function* deleteSshKey(id: string, accountId: string): Tx<boolean> {
  const deleted = yield* change(
    "delete from ssh_key where id = ? and account_id = ?",
    id,
    accountId,
  );
  yield* notify(topic.changed(accountId, "sshKey", id));
  return deleted > 0;
}

/** Deletes the keys of a member that is removed, which ends their sessions. */
export function* deleteSshKeysOf(memberId: string, accountId: string): Tx<void> {
  const found = yield* rows<{ id: string }>("select id from ssh_key where member_id = ?", memberId);
  for (const { id } of found) yield* deleteSshKey(id, accountId);
}

function fromRow(found: Row): SshKey {
  const { member_id: memberId, role, member_name: memberName } = found;
  return {
    id: found.id,
    accountId: found.account_id,
    member: memberId && role ? { id: memberId, name: memberName ?? "", role } : null,
    name: found.name,
    publicKey: found.public_key,
    fingerprint: found.fingerprint,
    labels: labelsFrom(found.labels),
    createdAt: found.created_at,
  };
}
