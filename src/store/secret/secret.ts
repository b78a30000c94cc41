// Secrets in the store.

import type { Secret } from "../../domain/secret/secret.ts";
import { change, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

interface Row {
  id: string;
  account_id: string;
  name: string;
  description: string;
  value: string;
  created_at: number;
  changed_at: number;
}

/** False where the account has one of this name. */
export function* insertSecret(secret: Secret): Verb<boolean> {
  const made = yield* change(
    `insert into secret (id, account_id, name, description, value, created_at, changed_at)
     values (?, ?, ?, ?, ?, ?, ?) on conflict (account_id, name) do nothing`,
    secret.id,
    secret.accountId,
    secret.name,
    secret.description,
    secret.value,
    secret.createdAt,
    secret.changedAt,
  );
  yield* ring(topic.changed(secret.accountId, "secret", secret.id));
  return made > 0;
}

export function* findSecret(id: string): Verb<Secret | undefined> {
  const found = yield* row<Row>("select * from secret where id = ?", id);
  return found && fromRow(found);
}

/** The same, and nobody else changes it before the surrounding turn is committed. */
export function* lockSecret(id: string): Verb<Secret | undefined> {
  const found = yield* row<Row>("select * from secret where id = ? /*+ for update */", id);
  return found && fromRow(found);
}

/** Those of some names that there are. */
export function* secretsNamed(accountId: string, names: readonly string[]): Verb<Secret[]> {
  const found: Secret[] = [];
  for (const name of names) {
    const one = yield* row<Row>(
      "select * from secret where account_id = ? and name = ?",
      accountId,
      name,
    );
    if (one) found.push(fromRow(one));
  }
  return found;
}

/** In the order of their names. */
export function* listSecrets(accountId: string): Verb<Secret[]> {
  const found = yield* rows<Row>(
    "select * from secret where account_id = ? order by name, id",
    accountId,
  );
  return found.map(fromRow);
}

export function* changeSecret(secret: Secret): Verb<void> {
  yield* change(
    "update secret set description = ?, value = ?, changed_at = ? where id = ?",
    secret.description,
    secret.value,
    secret.changedAt,
    secret.id,
  );
  yield* ring(topic.changed(secret.accountId, "secret", secret.id));
}

export function* deleteSecret(id: string, accountId: string): Verb<boolean> {
  const gone = yield* change("delete from secret where id = ? and account_id = ?", id, accountId);
  yield* ring(topic.changed(accountId, "secret", id));
  return gone > 0;
}

function fromRow(found: Row): Secret {
  return {
    id: found.id,
    accountId: found.account_id,
    name: found.name,
    description: found.description,
    value: found.value,
    createdAt: found.created_at,
    changedAt: found.changed_at,
  };
}
