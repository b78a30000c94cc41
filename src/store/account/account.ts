// Accounts and API keys in the store. A key itself is never kept, only its SHA-256.

import type { Account, ApiKey, Permissions } from "../../domain/account.ts";
import type { Role } from "../../domain/member/roles.ts";
import { change, needsNoSync, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

interface KeyRow {
  id: string;
  account_id: string;
  name: string;
  hint: string;
  member_id: string | null;
  role: Role | null;
  last_used_at: number | null;
  permissions: string;
  created_at: number;
  disabled_at: number | null;
}

/** A key as it is shown. */
export interface KeptKey extends ApiKey {
  /** About a minute old at most; null where it was not used yet. */
  lastUsedAt: number | null;
}

/** Of a key, with the role of whose it is. */
export const keyColumns =
  "api_key.*, (select role from member where member.id = api_key.member_id) as role";

export function* firstAccount(): Verb<Account | undefined> {
  return yield* accountWhere("order by created_at, id limit 1");
}

export function* findAccount(id: string): Verb<Account | undefined> {
  return yield* accountWhere("where id = ?", id);
}

export function* insertAccount(account: Account): Verb<void> {
  yield* change(
    "insert into account (id, name, webhook_secret, created_at) values (?, ?, ?, ?)",
    account.id,
    account.name,
    account.webhookSecret,
    account.createdAt,
  );
}

export function* setWebhookSecret(accountId: string, secret: string | null): Verb<void> {
  yield* change("update account set webhook_secret = ? where id = ?", secret, accountId);
}

/** Keeps a key by its hash; the same key given again changes nothing. */
export function* insertKey(key: ApiKey, hash: string): Verb<void> {
  yield* change(
    `insert into api_key (id, account_id, member_id, name, hash, hint, permissions, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (hash) do nothing`,
    key.id,
    key.accountId,
    key.member?.id ?? null,
    key.name,
    hash,
    key.hint,
    JSON.stringify(key.permissions),
    key.createdAt,
  );
  yield* ring(topic.directory);
  yield* ring(topic.changed(key.accountId, "key", key.id));
}

/** What a key must be to open anything: neither it nor its account disabled, nor it revoked. */
const OPENS = `disabled_at is null and revoked_at is null
     and not exists (select 1 from account where id = account_id and disabled_at is not null)`;

/** The key with this hash, if it opens anything. */
export function* keyByHash(hash: string): Verb<ApiKey | undefined> {
  const found = yield* row<KeyRow>(
    `select ${keyColumns} from api_key where hash = ? and ${OPENS}`,
    hash,
  );
  return found && keyFromRow(found);
}

/** The same by its id. */
export function* openKey(id: string): Verb<ApiKey | undefined> {
  const found = yield* row<KeyRow>(
    `select ${keyColumns} from api_key where id = ? and ${OPENS}`,
    id,
  );
  return found && keyFromRow(found);
}

export function* listKeys(accountId: string): Verb<KeptKey[]> {
  const found = yield* rows<KeyRow>(
    `select ${keyColumns} from api_key where account_id = ? and revoked_at is null
     order by created_at, id`,
    accountId,
  );
  return found.map(keyFromRow);
}

/** A key that is not revoked; disabled ones too. */
export function* findKey(id: string, accountId: string): Verb<KeptKey | undefined> {
  const found = yield* row<KeyRow>(
    `select ${keyColumns} from api_key where id = ? and account_id = ? and revoked_at is null`,
    id,
    accountId,
  );
  return found && keyFromRow(found);
}

/** The same, and nobody else changes it before the surrounding turn is committed. */
export function* lockKey(id: string, accountId: string): Verb<KeptKey | undefined> {
  const found = yield* row<KeyRow>(
    `select ${keyColumns} from api_key where id = ? and account_id = ? and revoked_at is null
     /*+ for update */`,
    id,
    accountId,
  );
  return found && keyFromRow(found);
}

export function* changeKey(
  key: Pick<ApiKey, "id" | "accountId" | "name" | "permissions" | "disabledAt">,
): Verb<boolean> {
  const changed = yield* change(
    `update api_key set name = ?, permissions = ?, disabled_at = ?
     where id = ? and account_id = ? and revoked_at is null`,
    key.name,
    JSON.stringify(key.permissions),
    key.disabledAt,
    key.id,
    key.accountId,
  );
  yield* ring(topic.directory);
  yield* ring(topic.changed(key.accountId, "key", key.id));
  return changed > 0;
}

/** What a power cut takes of it is a minute of nobody's work. */
export function* noteUses(lastAt: ReadonlyMap<string, number>): Verb<void> {
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

/** All keys of a member's: they open nothing any more. */
export function* revokeKeysOf(memberId: string, now: number): Verb<void> {
  yield* change(
    "update api_key set revoked_at = ? where member_id = ? and revoked_at is null",
    now,
    memberId,
  );
  yield* ring(topic.directory);
}

export function* revokeKey(id: string, accountId: string, now: number): Verb<boolean> {
  const changed = yield* change(
    `update api_key set revoked_at = ? where id = ? and account_id = ? and revoked_at is null`,
    now,
    id,
    accountId,
  );
  yield* ring(topic.directory);
  yield* ring(topic.changed(accountId, "key", id));
  return changed > 0;
}

function* accountWhere(where: string, ...params: string[]): Verb<Account | undefined> {
  const found = yield* row<{
    id: string;
    name: string;
    webhook_secret: string | null;
    created_at: number;
  }>(`select * from account ${where}`, ...params);
  return (
    found && {
      id: found.id,
      name: found.name,
      webhookSecret: found.webhook_secret,
      createdAt: found.created_at,
    }
  );
}

function keyFromRow(found: KeyRow): KeptKey {
  return {
    lastUsedAt: found.last_used_at,
    id: found.id,
    accountId: found.account_id,
    name: found.name,
    hint: found.hint,
    member: found.member_id && found.role ? { id: found.member_id, role: found.role } : null,
    permissions: JSON.parse(found.permissions) as Permissions,
    createdAt: found.created_at,
    disabledAt: found.disabled_at,
  };
}
