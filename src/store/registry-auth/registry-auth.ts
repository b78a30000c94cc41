// The table `registry_auth`.

import type { RegistryAuth } from "../../domain/registry-auth.ts";
import { topic } from "../engine/notifier.ts";
import { labelsFrom, labelText } from "../engine/row/columns.ts";
import { type OwnerColumns, ownerFrom, withOwner } from "../engine/row/owner.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

const OWNED = withOwner("registry_auth");

interface Row extends OwnerColumns {
  id: string;
  account_id: string;
  name: string;
  labels: string | null;
  credentials: string;
  registry: string | null;
  created_at: number;
}

/** False if the account has one with this name. */
export function* insertRegistryAuth(auth: RegistryAuth): Tx<boolean> {
  const inserted = yield* change(
    `insert into registry_auth (id, account_id, name, labels, credentials, registry, created_at, owner_id)
     values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (account_id, name) do nothing`,
    auth.id,
    auth.accountId,
    auth.name,
    labelText(auth.labels),
    auth.credentials,
    auth.registry,
    auth.createdAt,
    auth.owner?.id ?? null,
  );
  yield* notify(topic.changed(auth.accountId, "registryAuth", auth.id));
  return inserted > 0;
}

export function* findRegistryAuth(id: string): Tx<RegistryAuth | undefined> {
  const found = yield* row<Row>(`select ${OWNED} from registry_auth where id = ?`, id);
  return found && fromRow(found);
}

/** Reads credentials and locks them until the transaction commits. */
export function* lockRegistryAuth(id: string): Tx<RegistryAuth | undefined> {
  const found = yield* row<Row>(
    `select ${OWNED} from registry_auth where id = ? /*+ for update */`,
    id,
  );
  return found && fromRow(found);
}

/** Takes a shared lock: transactions that only refer to the credentials do not wait for each other. */
export function* lockRegistryAuthShared(id: string): Tx<RegistryAuth | undefined> {
  const found = yield* row<Row>(
    `select ${OWNED} from registry_auth where id = ? /*+ for share */`,
    id,
  );
  return found && fromRow(found);
}

export function* listRegistryAuths(accountId: string): Tx<RegistryAuth[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from registry_auth where account_id = ? order by created_at, id`,
    accountId,
  );
  return found.map(fromRow);
}

/** The registry auth must be locked. */
export function* changeRegistryAuth(auth: RegistryAuth): Tx<void> {
  const { id, accountId, credentials, labels } = auth;
  const sql = "update registry_auth set credentials = ?, labels = ? where id = ?";
  yield* change(sql, credentials, labelText(labels), id);
  yield* notify(topic.changed(accountId, "registryAuth", id));
}

/** Binds an auth without a registry to one; the first of several callers decides. */
export function* bindRegistryAuth(id: string, registry: string): Tx<RegistryAuth | undefined> {
  const bound = yield* change(
    "update registry_auth set registry = ? where id = ? and registry is null",
    registry,
    id,
  );
  const auth = yield* findRegistryAuth(id);
  if (auth && bound > 0) yield* notify(topic.changed(auth.accountId, "registryAuth", id));
  return auth;
}

/** The registry auth must be locked, and nothing may use it. */
export function* deleteRegistryAuth({ id, accountId }: RegistryAuth): Tx<void> {
  yield* change("delete from registry_auth where id = ?", id);
  yield* notify(topic.changed(accountId, "registryAuth", id));
}

function fromRow(found: Row): RegistryAuth {
  return {
    id: found.id,
    accountId: found.account_id,
    name: found.name,
    labels: labelsFrom(found.labels),
    credentials: found.credentials,
    registry: found.registry,
    createdAt: found.created_at,
    ...ownerFrom(found),
  };
}
