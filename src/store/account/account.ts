// The table `account`: its owner's settings, and what the operator sets: its name, whether it is
// limited to its balance, and whether it is disabled.

import type { Account } from "../../domain/account.ts";
import type { MaxLifetime } from "../../domain/usage/lifetime.ts";
import { topic } from "../engine/notifier.ts";
import { columnList } from "../engine/row/column-list.ts";
import { maxLifetimeFrom, maxLifetimeValues } from "../engine/row/max-lifetime.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface OwnerRow {
  id: string;
  name: string;
  webhook_secret: string | null;
  created_at: number;
}

const OWNER_COLUMNS = columnList<OwnerRow>()("id", "name", "webhook_secret", "created_at");

export function* firstAccount(): Tx<Account | undefined> {
  return yield* accountWhere("order by created_at, id limit 1");
}

export function* findAccount(id: string): Tx<Account | undefined> {
  return yield* accountWhere("where id = ?", id);
}

export function* insertAccount(account: Account): Tx<void> {
  yield* change(
    "insert into account (id, name, webhook_secret, created_at) values (?, ?, ?, ?)",
    account.id,
    account.name,
    account.webhookSecret,
    account.createdAt,
  );
}

export function* setWebhookSecret(accountId: string, secret: string | null): Tx<void> {
  yield* change("update account set webhook_secret = ? where id = ?", secret, accountId);
}

function* accountWhere(where: string, ...params: string[]): Tx<Account | undefined> {
  const found = yield* row<OwnerRow>(`select ${OWNER_COLUMNS} from account ${where}`, ...params);
  return (
    found && {
      id: found.id,
      name: found.name,
      webhookSecret: found.webhook_secret,
      createdAt: found.created_at,
    }
  );
}

/** An account as the operator manages it. */
export interface ManagedAccount {
  id: string;
  name: string;
  /** True if its balance limits what it may run. */
  limited: boolean;
  disabledAt: number | null;
  /** For how long its Pods may run after their start; null for no limit. */
  maxLifetime: MaxLifetime | null;
  createdAt: number;
}

interface AccountRow {
  id: string;
  name: string;
  prepaid: number;
  disabled_at: number | null;
  max_minutes: number | null;
  max_extendable: number;
  created_at: number;
}

const COLUMNS = columnList<AccountRow>()(
  ...([
    "id",
    "name",
    "prepaid",
    "disabled_at",
    "max_minutes",
    "max_extendable",
    "created_at",
  ] as const),
);

export function* listAccounts(): Tx<ManagedAccount[]> {
  const found = yield* rows<AccountRow>(`select ${COLUMNS} from account order by created_at, id`);
  return found.map(managedFrom);
}

export function* findManaged(id: string): Tx<ManagedAccount | undefined> {
  const found = yield* row<AccountRow>(`select ${COLUMNS} from account where id = ?`, id);
  return found && managedFrom(found);
}

/** Waits for other transactions that hold the account, and holds it until the transaction commits. */
export function* holdAccount(id: string): Tx<void> {
  yield* row("select id from account where id = ? /*+ for no key update */", id);
}

/** Reads an account as `findManaged` does, and locks it until the transaction commits. */
export function* lockAccount(id: string): Tx<ManagedAccount | undefined> {
  const found = yield* row<AccountRow>(
    `select ${COLUMNS} from account where id = ? /*+ for update */`,
    id,
  );
  return found && managedFrom(found);
}

export function* findAccountIdByName(name: string): Tx<string | undefined> {
  const found = yield* row<{ id: string }>("select id from account where name = ?", name);
  return found?.id;
}

/** Cached permissions of its keys, its workers, and the loops that stop workloads depend on it. */
export function* saveAccount(account: ManagedAccount): Tx<void> {
  const { id, name, limited, disabledAt, maxLifetime } = account;
  const { max_minutes, max_extendable } = maxLifetimeValues(maxLifetime);
  yield* change(
    `update account set name = ?, prepaid = ?, disabled_at = ?, max_minutes = ?, max_extendable = ?,
       empty_since = case when ? = 1 then empty_since end,
       low_since = case when ? = 1 then low_since end
     where id = ?`,
    name,
    limited ? 1 : 0,
    disabledAt,
    max_minutes,
    max_extendable,
    limited ? 1 : 0,
    limited ? 1 : 0,
    id,
  );
  for (const each of [topic.authCache, topic.balance, topic.fleet, topic.pods]) yield* notify(each);
  yield* notify(topic.changed(id, "balance", id));
}

export function* isDisabled(id: string): Tx<boolean> {
  return (yield* disabled("and id = ?", id)).length > 0;
}

export function* disabledAccounts(): Tx<string[]> {
  return yield* disabled("");
}

function* disabled(more: string, ...params: string[]): Tx<string[]> {
  const found = yield* rows<{ id: string }>(
    `select id from account where disabled_at is not null ${more}`,
    ...params,
  );
  return found.map(({ id }) => id);
}

function managedFrom(found: AccountRow): ManagedAccount {
  return {
    id: found.id,
    name: found.name,
    limited: found.prepaid === 1,
    disabledAt: found.disabled_at,
    maxLifetime: maxLifetimeFrom(found.max_minutes, found.max_extendable),
    createdAt: found.created_at,
  };
}
