// Container registry auths in the store.

import type { RegistryAuth } from "../../domain/registry-auth.ts";
import { change, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

interface Row {
  id: string;
  account_id: string;
  name: string;
  credentials: string;
  created_at: number;
}

/** False where the account has one of this name. */
export function* insertRegistryAuth(auth: RegistryAuth): Verb<boolean> {
  const made = yield* change(
    `insert into registry_auth (id, account_id, name, credentials, created_at)
     values (?, ?, ?, ?, ?) on conflict (account_id, name) do nothing`,
    auth.id,
    auth.accountId,
    auth.name,
    auth.credentials,
    auth.createdAt,
  );
  yield* ring(topic.changed(auth.accountId, "registryAuth", auth.id));
  return made > 0;
}

export function* findRegistryAuth(id: string): Verb<RegistryAuth | undefined> {
  const found = yield* row<Row>("select * from registry_auth where id = ?", id);
  return found && fromRow(found);
}

/** The same, and nobody else uses or deletes it before the surrounding turn is committed. */
export function* lockRegistryAuth(id: string): Verb<RegistryAuth | undefined> {
  const found = yield* row<Row>("select * from registry_auth where id = ? /*+ for update */", id);
  return found && fromRow(found);
}

/** The same for those who only name it: they do not wait for each other. */
export function* holdRegistryAuth(id: string): Verb<RegistryAuth | undefined> {
  const found = yield* row<Row>("select * from registry_auth where id = ? /*+ for share */", id);
  return found && fromRow(found);
}

export function* listRegistryAuths(accountId: string): Verb<RegistryAuth[]> {
  const found = yield* rows<Row>(
    "select * from registry_auth where account_id = ? order by created_at, id",
    accountId,
  );
  return found.map(fromRow);
}

/** It must be locked. */
export function* changeRegistryAuth(id: string, credentials: string): Verb<void> {
  yield* change("update registry_auth set credentials = ? where id = ?", credentials, id);
}

/** It must be locked, and nothing may use it. */
export function* deleteRegistryAuth({ id, accountId }: RegistryAuth): Verb<void> {
  yield* change("delete from registry_auth where id = ?", id);
  yield* ring(topic.changed(accountId, "registryAuth", id));
}

function fromRow(found: Row): RegistryAuth {
  return {
    id: found.id,
    accountId: found.account_id,
    name: found.name,
    credentials: found.credentials,
    createdAt: found.created_at,
  };
}
