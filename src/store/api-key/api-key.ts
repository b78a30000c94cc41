// The table `api_key`. A key itself is not stored, only its SHA-256.

import type { ApiKey, Permissions } from "../../domain/account.ts";
import { type Labels, noLabels } from "../../domain/label/labels.ts";
import type { Role } from "../../domain/member/roles.ts";
import { topic } from "../engine/notifier.ts";
import { labelsFrom, labelText } from "../engine/row/columns.ts";
import { change, needsNoSync, notify, row, rows, type Tx } from "../engine/statement.ts";

interface KeyRow {
  id: string;
  account_id: string;
  name: string;
  labels: string | null;
  hint: string;
  member_id: string | null;
  role: Role | null;
  member_name: string | null;
  last_used_at: number | null;
  permissions: string;
  created_at: number;
  disabled_at: number | null;
}

/** A key as it is listed. */
export interface ListedKey extends ApiKey {
  /** May be a minute late; null if it was never used. */
  lastUsedAt: number | null;
  labels: Labels;
}

/** The columns of a key, with the role and the name of the member that it belongs to. */
const keyColumns = `api_key.*, (select role from member where member.id = api_key.member_id) as role,
  (select name from member where member.id = api_key.member_id) as member_name`;

/** Inserts a key by its hash; inserting the same key again changes nothing. */
export function* insertKey(key: ApiKey & { labels?: Labels }, hash: string): Tx<void> {
  yield* change(
    `insert into api_key (id, account_id, member_id, name, labels, hash, hint, permissions, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (hash) do nothing`,
    key.id,
    key.accountId,
    key.member?.id ?? null,
    key.name,
    labelText(key.labels ?? noLabels),
    hash,
    key.hint,
    JSON.stringify(key.permissions),
    key.createdAt,
  );
  yield* notify(topic.authCache);
  yield* notify(topic.changed(key.accountId, "key", key.id));
}

/** An active key is neither disabled nor revoked, and its account is not disabled. */
const IS_ACTIVE = `disabled_at is null and revoked_at is null
     and not exists (select 1 from account where id = account_id and disabled_at is not null)`;

/** The active key with this hash. */
export function* keyByHash(hash: string): Tx<ApiKey | undefined> {
  const found = yield* row<KeyRow>(
    `select ${keyColumns} from api_key where hash = ? and ${IS_ACTIVE}`,
    hash,
  );
  return found && keyFromRow(found);
}

/** The active key with this id. */
export function* findActiveKey(id: string): Tx<ApiKey | undefined> {
  const found = yield* row<KeyRow>(
    `select ${keyColumns} from api_key where id = ? and ${IS_ACTIVE}`,
    id,
  );
  return found && keyFromRow(found);
}

export function* listKeys(accountId: string): Tx<ListedKey[]> {
  const found = yield* rows<KeyRow>(
    `select ${keyColumns} from api_key where account_id = ? and revoked_at is null
     order by created_at, id`,
    accountId,
  );
  return found.map(keyFromRow);
}

/** A key that is not revoked; it may be disabled. */
export function* findKey(id: string, accountId: string): Tx<ListedKey | undefined> {
  const found = yield* row<KeyRow>(
    `select ${keyColumns} from api_key where id = ? and account_id = ? and revoked_at is null`,
    id,
    accountId,
  );
  return found && keyFromRow(found);
}

/** Reads a key and locks it until the transaction commits. */
export function* lockKey(id: string, accountId: string): Tx<ListedKey | undefined> {
  const found = yield* row<KeyRow>(
    `select ${keyColumns} from api_key where id = ? and account_id = ? and revoked_at is null
     /*+ for update */`,
    id,
    accountId,
  );
  return found && keyFromRow(found);
}

export function* changeKey(
  key: Pick<ListedKey, "id" | "accountId" | "name" | "labels" | "permissions" | "disabledAt">,
): Tx<boolean> {
  const changed = yield* change(
    `update api_key set name = ?, labels = ?, permissions = ?, disabled_at = ?
     where id = ? and account_id = ? and revoked_at is null`,
    key.name,
    labelText(key.labels),
    JSON.stringify(key.permissions),
    key.disabledAt,
    key.id,
    key.accountId,
  );
  yield* notify(topic.authCache);
  yield* notify(topic.changed(key.accountId, "key", key.id));
  return changed > 0;
}

/** A power cut may lose the last minute of these instants; that is acceptable. */
export function* recordKeyUses(lastAt: ReadonlyMap<string, number>): Tx<void> {
  yield* needsNoSync();
  for (const [id, at] of [...lastAt].sort()) {
    yield* change(
      "update api_key set last_used_at = ? where id = ? and coalesce(last_used_at, 0) < ?",
      at,
      id,
      at,
    );
  }
}

/** Makes a key end with a sign-in. */
export function* tieKeyToSignIn(id: string, signInId: string): Tx<void> {
  yield* change("update api_key set sign_in_id = ? where id = ?", signInId, id);
}

/** Revokes all keys that depend on a sign-in. */
export function* revokeKeysOfSignIn(signInId: string, accountId: string, now: number): Tx<void> {
  yield* change(
    "update api_key set revoked_at = ? where sign_in_id = ? and revoked_at is null",
    now,
    signInId,
  );
  yield* notify(topic.authCache);
  yield* notify(topic.changed(accountId, "key", signInId));
}

/** Revokes all keys of a member. */
export function* revokeKeysOf(memberId: string, now: number): Tx<void> {
  yield* change(
    "update api_key set revoked_at = ? where member_id = ? and revoked_at is null",
    now,
    memberId,
  );
  yield* notify(topic.authCache);
}

export function* revokeKey(id: string, accountId: string, now: number): Tx<boolean> {
  const changed = yield* change(
    `update api_key set revoked_at = ? where id = ? and account_id = ? and revoked_at is null`,
    now,
    id,
    accountId,
  );
  yield* notify(topic.authCache);
  yield* notify(topic.changed(accountId, "key", id));
  return changed > 0;
}

function keyFromRow(found: KeyRow): ListedKey {
  const { member_id: memberId, role, member_name: memberName } = found;
  return {
    lastUsedAt: found.last_used_at,
    labels: labelsFrom(found.labels),
    id: found.id,
    accountId: found.account_id,
    name: found.name,
    hint: found.hint,
    member: memberId && role ? { id: memberId, name: memberName ?? "", role } : null,
    permissions: JSON.parse(found.permissions) as Permissions,
    createdAt: found.created_at,
    disabledAt: found.disabled_at,
  };
}
