// What belongs to a member besides Pods, in every table that has owners.

import type { Kind } from "../../domain/kind.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, rows, type Tx } from "../engine/statement.ts";

interface Owned {
  table: string;
  kind: Kind;
  /** Which rows of an account and an owner, as the table's index by account has them. */
  where: string;
}

const EVERY = "account_id = ? and owner_id = ?";
const NOT_DELETED = `${EVERY} and deleted_at is null`;
const endpoints: Owned = { table: "endpoint", kind: "endpoint", where: NOT_DELETED };
const volumes: Owned = { table: "network_volume", kind: "networkVolume", where: NOT_DELETED };
const schedules: Owned = { table: "schedule", kind: "schedule", where: EVERY };

/** Templates are locked before the endpoints that use them, and both before what they refer to. */
const everything: Owned[] = [
  { table: "template", kind: "template", where: EVERY },
  endpoints,
  volumes,
  { table: "registry_auth", kind: "registryAuth", where: EVERY },
  { table: "secret", kind: "secret", where: EVERY },
  schedules,
  { table: "queued_pod", kind: "pod", where: EVERY },
];

/** Gives everything but Pods to another member of the account. */
export function* handOver(accountId: string, from: string, to: string): Tx<void> {
  for (const owned of everything) {
    const { table, kind, where } = owned;
    const ids = yield* idsIn(owned, accountId, from);
    if (ids.length === 0) continue;
    yield* change(`update ${table} set owner_id = ? where ${where}`, to, accountId, from);
    for (const id of ids) yield* notify(topic.changed(accountId, kind, id));
    if (owned === endpoints) yield* notify(topic.authCache);
  }
}

export const endpointIdsOf = (accountId: string, ownerId: string) =>
  idsIn(endpoints, accountId, ownerId);

export const scheduleIdsOf = (accountId: string, ownerId: string) =>
  idsIn(schedules, accountId, ownerId);

export const volumeIdsOf = (accountId: string, ownerId: string) =>
  idsIn(volumes, accountId, ownerId);

function* idsIn({ table, where }: Owned, accountId: string, ownerId: string): Tx<string[]> {
  const sql = `select id from ${table} where ${where} order by id`;
  return (yield* rows<{ id: string }>(sql, accountId, ownerId)).map(({ id }) => id);
}
