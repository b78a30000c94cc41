// The table `audit`. An entry is added in the transaction of the act that it records, and deleted
// when its retention is over.

import type { Actor, AuditEntry } from "../../domain/audit/entry.ts";
import { columnList, qualified } from "../engine/row/column-list.ts";
import { change, rows, type Tx, type Value } from "../engine/statement.ts";

export interface AuditRecord extends AuditEntry {
  /** Rises with every entry. */
  seq: number;
  /** The key's name; null if the actor was not a key. */
  keyName: string | null;
  member: { id: string; email: string } | null;
}

export type ActorKind = Actor["kind"] | "member";

export interface AuditFilter {
  accountId: string;
  since: number | null;
  until: number | null;
  keyId: string | null;
  memberId: string | null;
  actor: ActorKind | null;
  /** An operation, or the beginning of one with a "*" after it. */
  operation: string | null;
  resourceType: string | null;
  resourceId: string | null;
  outcome: string | null;
  /** Only entries after the one with this `seq`. */
  before: number | null;
  limit: number;
}

/** Records what the service did by itself. */
export function* appendSystemAct(
  act: Pick<
    AuditEntry,
    "accountId" | "at" | "operation" | "resourceType" | "resourceId" | "detail"
  >,
): Tx<void> {
  yield* appendEntry({
    ...act,
    actor: { kind: "system" },
    via: "system",
    outcome: "done",
    address: "",
  });
}

export function* appendEntry(entry: AuditEntry): Tx<void> {
  const { actor } = entry;
  yield* change(
    `insert into audit (account_id, at, key_id, pod_id, via, operation, resource_type, resource_id,
       outcome, detail, address) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    entry.accountId,
    entry.at,
    actor.kind === "key" ? actor.keyId : null,
    actor.kind === "pod" ? actor.podId : null,
    entry.via,
    entry.operation,
    entry.resourceType,
    entry.resourceId,
    entry.outcome,
    entry.detail,
    entry.address,
  );
}

/** The newest first. */
export function* listEntries(filter: AuditFilter): Tx<AuditRecord[]> {
  const conditions = conditionsOf(filter).filter(({ value }) => value !== null);
  const actor = filter.actor === null ? [] : [actorConditions[filter.actor]];
  const found = yield* rows<EntryRow>(
    `select ${ENTRY_COLUMNS}, api_key.name as key_name, member.id as member_id, member.email as email
     from audit
     left join api_key on api_key.id = audit.key_id
     left join member on member.id = api_key.member_id
     where ${["audit.account_id = ?", ...conditions.map(({ sql }) => sql), ...actor].join(" and ")}
     order by audit.at desc, audit.seq desc limit ?`,
    filter.accountId,
    ...conditions.map(({ value }) => value),
    filter.limit,
  );
  return found.map(fromRow);
}

function conditionsOf(filter: AuditFilter): { sql: string; value: Value }[] {
  return [
    { sql: "audit.at >= ?", value: filter.since },
    { sql: "audit.at < ?", value: filter.until },
    { sql: "audit.key_id = ?", value: filter.keyId },
    {
      sql: "audit.key_id in (select id from api_key where member_id = ?)",
      value: filter.memberId,
    },
    ...operationConditions(filter.operation),
    { sql: "audit.resource_type = ?", value: filter.resourceType },
    { sql: "audit.resource_id = ?", value: filter.resourceId },
    { sql: "audit.outcome = ?", value: filter.outcome },
    {
      sql: "(audit.at, audit.seq) < (select at, seq from audit where seq = ?)",
      value: filter.before,
    },
  ];
}

const LAST_CHARACTER = "\u{10ffff}";

function operationConditions(operation: string | null): { sql: string; value: Value }[] {
  if (!operation?.endsWith("*")) return [{ sql: "audit.operation = ?", value: operation }];
  const start = operation.slice(0, -1);
  return [
    { sql: "audit.operation >= ?", value: start },
    { sql: "audit.operation < ?", value: `${start}${LAST_CHARACTER}` },
  ];
}

const actorConditions: Record<ActorKind, string> = {
  member: "api_key.member_id is not null",
  key: "audit.key_id is not null and api_key.member_id is null",
  pod: "audit.pod_id is not null",
  system: "audit.key_id is null and audit.pod_id is null",
};

export function* forgetEntries(before: number, limit: number): Tx<number> {
  return yield* change(
    "delete from audit where seq in (select seq from audit where at < ? order by at limit ?)",
    before,
    limit,
  );
}

interface EntryRow {
  seq: number;
  account_id: string;
  at: number;
  key_id: string | null;
  pod_id: string | null;
  via: AuditEntry["via"];
  operation: string;
  resource_type: string;
  resource_id: string;
  outcome: AuditEntry["outcome"];
  detail: string;
  address: string;
  key_name: string | null;
  member_id: string | null;
  email: string | null;
}

const ENTRY_COLUMNS = qualified(
  "audit",
  columnList<Omit<EntryRow, "key_name" | "member_id" | "email">>()(
    "seq",
    "account_id",
    "at",
    "key_id",
    "pod_id",
    "via",
    "operation",
    "resource_type",
    "resource_id",
    "outcome",
    "detail",
    "address",
  ),
);

function fromRow(row: EntryRow): AuditRecord {
  return {
    seq: row.seq,
    accountId: row.account_id,
    at: row.at,
    actor: actorOf(row),
    via: row.via,
    operation: row.operation,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    outcome: row.outcome,
    detail: row.detail,
    address: row.address,
    keyName: row.key_name,
    member: row.member_id === null ? null : { id: row.member_id, email: row.email! },
  };
}

function actorOf({ key_id: keyId, pod_id: podId }: EntryRow): Actor {
  if (keyId !== null) return { kind: "key", keyId };
  return podId === null ? { kind: "system" } : { kind: "pod", podId };
}
