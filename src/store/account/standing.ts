// How an account stands with the operator: its name, whether it may only use what it has, and whether
// it may do anything at all.

import { change, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

/** An account as the operator sees it. */
export interface ManagedAccount {
  id: string;
  name: string;
  /** Whether it may only use what it has. */
  limited: boolean;
  disabledAt: number | null;
  createdAt: number;
}

interface AccountRow {
  id: string;
  name: string;
  prepaid: number;
  disabled_at: number | null;
  created_at: number;
}

export function* listAccounts(): Verb<ManagedAccount[]> {
  const found = yield* rows<AccountRow>("select * from account order by created_at, id");
  return found.map(fromRow);
}

export function* findManaged(id: string): Verb<ManagedAccount | undefined> {
  const found = yield* row<AccountRow>("select * from account where id = ?", id);
  return found && fromRow(found);
}

/** The same, and nobody else changes it before the surrounding turn is committed. */
export function* lockAccount(id: string): Verb<ManagedAccount | undefined> {
  const found = yield* row<AccountRow>("select * from account where id = ? /*+ for update */", id);
  return found && fromRow(found);
}

export function* accountNamed(name: string): Verb<string | undefined> {
  const found = yield* row<{ id: string }>("select id from account where name = ?", name);
  return found?.id;
}

/** Keys and workers hang on it, and what the loops find to stop. */
export function* keepStanding(account: ManagedAccount): Verb<void> {
  const { id, name, limited, disabledAt } = account;
  yield* change(
    `update account set name = ?, prepaid = ?, disabled_at = ?,
       empty_since = case when ? = 1 then empty_since end,
       low_since = case when ? = 1 then low_since end
     where id = ?`,
    name,
    limited ? 1 : 0,
    disabledAt,
    limited ? 1 : 0,
    limited ? 1 : 0,
    id,
  );
  for (const each of [topic.directory, topic.balance, topic.fleet]) yield* ring(each);
  yield* ring(topic.changed(id, "balance", id));
}

export function* isDisabled(id: string): Verb<boolean> {
  return (yield* disabled("and id = ?", id)).length > 0;
}

export function* disabledAccounts(): Verb<string[]> {
  return yield* disabled("");
}

function* disabled(more: string, ...params: string[]): Verb<string[]> {
  const found = yield* rows<{ id: string }>(
    `select id from account where disabled_at is not null ${more}`,
    ...params,
  );
  return found.map(({ id }) => id);
}

function fromRow(found: AccountRow): ManagedAccount {
  return {
    id: found.id,
    name: found.name,
    limited: found.prepaid === 1,
    disabledAt: found.disabled_at,
    createdAt: found.created_at,
  };
}
