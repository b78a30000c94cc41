// The table `s3_key`. Secrets are sealed.

import type { Role } from "../../domain/member/roles.ts";
import type { S3Key } from "../../domain/s3/s3-key.ts";
import { topic } from "../engine/notifier.ts";
import { columnList, qualified } from "../engine/row/column-list.ts";
import { labelsFrom, labelText } from "../engine/row/columns.ts";
import { change, needsNoSync, notify, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  id: string;
  account_id: string;
  member_id: string | null;
  role: Role | null;
  member_name: string | null;
  name: string;
  labels: string | null;
  secret: string;
  access: S3Key["access"];
  volume_ids: string | null;
  created_at: number;
  last_used_at: number | null;
}

const COLUMNS = columnList<Omit<Row, "role" | "member_name">>()(
  "id",
  "account_id",
  "member_id",
  "name",
  "labels",
  "secret",
  "access",
  "volume_ids",
  "created_at",
  "last_used_at",
);

/** S3 keys with the role and the name of the member that each belongs to. */
const SELECT = `select ${qualified("s3_key", COLUMNS)}, (select role from member where member.id = s3_key.member_id) as role,
  (select name from member where member.id = s3_key.member_id) as member_name
  from s3_key where revoked_at is null
  and not exists (select 1 from member where member.id = s3_key.member_id and removed_at is not null)`;

export function* insertS3Key(key: S3Key): Tx<void> {
  yield* change(
    `insert into s3_key (id, account_id, member_id, name, labels, secret, access, volume_ids, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    key.id,
    key.accountId,
    key.member?.id ?? null,
    key.name,
    labelText(key.labels),
    key.secret,
    key.access,
    key.volumeIds && JSON.stringify(key.volumeIds),
    key.createdAt,
  );
  yield* notify(topic.changed(key.accountId, "key", key.id));
}

const ACTIVE_ACCOUNT =
  "not exists (select 1 from account where account.id = account_id and disabled_at is not null)";

/** The active key with this access key id, or all of the account with this id. */
export function* usableS3Keys(accessKeyId: string): Tx<S3Key[]> {
  const found = yield* rows<Row>(
    `${SELECT} and (id = ? or account_id = ?) and ${ACTIVE_ACCOUNT} order by created_at, id`,
    accessKeyId,
    accessKeyId,
  );
  return found.map(fromRow);
}

/** Oldest first. */
export function* listS3Keys(accountId: string): Tx<S3Key[]> {
  const found = yield* rows<Row>(`${SELECT} and account_id = ? order by created_at, id`, accountId);
  return found.map(fromRow);
}

export function* findS3Key(id: string, accountId: string): Tx<S3Key | undefined> {
  const found = yield* row<Row>(`${SELECT} and id = ? and account_id = ?`, id, accountId);
  return found && fromRow(found);
}

/** False if it is revoked. */
export function* labelS3Key({ id, accountId, labels }: S3Key): Tx<boolean> {
  const sql = "update s3_key set labels = ? where id = ? and account_id = ? and revoked_at is null";
  const changed = yield* change(sql, labelText(labels), id, accountId);
  yield* notify(topic.changed(accountId, "key", id));
  return changed > 0;
}

export function* revokeS3Key(id: string, accountId: string, now: number): Tx<boolean> {
  const changed = yield* change(
    "update s3_key set revoked_at = ? where id = ? and account_id = ? and revoked_at is null",
    now,
    id,
    accountId,
  );
  yield* notify(topic.changed(accountId, "key", id));
  return changed > 0;
}

/** A power cut may lose the last minute of these instants; that is acceptable. */
export function* recordS3KeyUses(lastAt: ReadonlyMap<string, number>): Tx<void> {
  yield* needsNoSync();
  for (const [id, at] of [...lastAt].sort()) {
    yield* change(
      "update s3_key set last_used_at = ? where id = ? and coalesce(last_used_at, 0) < ?",
      at,
      id,
      at,
    );
  }
}

function fromRow(found: Row): S3Key {
  const { member_id: memberId, role, member_name: memberName, volume_ids: volumeIds } = found;
  return {
    id: found.id,
    accountId: found.account_id,
    member: memberId && role ? { id: memberId, name: memberName ?? "", role } : null,
    name: found.name,
    labels: labelsFrom(found.labels),
    secret: found.secret,
    access: found.access,
    volumeIds: volumeIds === null ? null : (JSON.parse(volumeIds) as string[]),
    createdAt: found.created_at,
    lastUsedAt: found.last_used_at,
  };
}
