// The table `secret`. Values are sealed.

import type { Secret } from "../../domain/secret/secret.ts";
import { topic } from "../engine/notifier.ts";
import { labelsFrom, labelText } from "../engine/row/columns.ts";
import { type OwnerColumns, ownerFrom, withOwner } from "../engine/row/owner.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

const OWNED = withOwner("secret");

interface Row extends OwnerColumns {
  id: string;
  account_id: string;
  name: string;
  description: string;
  labels: string | null;
  value: string;
  created_at: number;
  changed_at: number;
  value_changed_at: number;
}

/** False if the account has a secret with this name, whatever its case. */
export function* insertSecret(secret: Secret): Tx<boolean> {
  const inserted = yield* change(
    `insert into secret
       (id, account_id, name, description, labels, value, created_at, changed_at, value_changed_at, owner_id)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    secret.id,
    secret.accountId,
    secret.name,
    secret.description,
    labelText(secret.labels),
    secret.value,
    secret.createdAt,
    secret.changedAt,
    secret.valueChangedAt,
    secret.owner?.id ?? null,
  );
  yield* notify(topic.changed(secret.accountId, "secret", secret.id));
  return inserted > 0;
}

export function* findSecret(id: string): Tx<Secret | undefined> {
  const found = yield* row<Row>(`select ${OWNED} from secret where id = ?`, id);
  return found && fromRow(found);
}

/** Reads a secret and locks it until the transaction commits. */
export function* lockSecret(id: string): Tx<Secret | undefined> {
  const found = yield* row<Row>(`select ${OWNED} from secret where id = ? /*+ for update */`, id);
  return found && fromRow(found);
}

/** An account's secrets with these names; names without a secret are left out. */
export function* secretsNamed(accountId: string, names: readonly string[]): Tx<Secret[]> {
  const found: Secret[] = [];
  for (const name of names) {
    const secret = yield* row<Row>(
      `select ${OWNED} from secret where account_id = ? and name = ?`,
      accountId,
      name,
    );
    if (secret) found.push(fromRow(secret));
  }
  return found;
}

/** Ordered by name. */
export function* listSecrets(accountId: string): Tx<Secret[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from secret where account_id = ? order by name, id`,
    accountId,
  );
  return found.map(fromRow);
}

export function* changeSecret(secret: Secret): Tx<void> {
  yield* change(
    `update secret set description = ?, labels = ?, value = ?, changed_at = ?, value_changed_at = ?
     where id = ?`,
    secret.description,
    labelText(secret.labels),
    secret.value,
    secret.changedAt,
    secret.valueChangedAt,
    secret.id,
  );
  yield* notify(topic.changed(secret.accountId, "secret", secret.id));
}

export function* deleteSecret(id: string, accountId: string): Tx<boolean> {
  const deleted = yield* change(
    "delete from secret where id = ? and account_id = ?",
    id,
    accountId,
  );
  yield* notify(topic.changed(accountId, "secret", id));
  return deleted > 0;
}

function fromRow(found: Row): Secret {
  return {
    id: found.id,
    accountId: found.account_id,
    name: found.name,
    description: found.description,
    labels: labelsFrom(found.labels),
    value: found.value,
    createdAt: found.created_at,
    ...ownerFrom(found),
    changedAt: found.changed_at,
    valueChangedAt: found.value_changed_at,
  };
}
