// The audit log: only ever added to, in the transaction of what it tells of, until its time is over.

import type { Actor, AuditEntry } from "../../domain/audit/entry.ts";
import { change, rows, type Value, type Verb } from "../statement.ts";

export interface KeptEntry extends AuditEntry {
  /** Rises with every entry. */
  seq: number;
  /** The key's name, and whose it is, where it is a member's. */
  keyName: string | null;
  member: { id: string; email: string } | null;
}

export interface AuditFilter {
  accountId: string;
  since: number | null;
  until: number | null;
  keyId: string | null;
  memberId: string | null;
  operation: string | null;
  resourceType: string | null;
  resourceId: string | null;
  outcome: string | null;
  /** Only entries before this one. */
  before: number | null;
  limit: number;
}

/** What the service did by itself. */
export function* appendOwnAct(
  act: Pick<
    AuditEntry,
    "accountId" | "at" | "operation" | "resourceType" | "resourceId" | "detail"
  >,
): Verb<void> {
  yield* appendEntry({
    ...act,
    actor: { kind: "system" },
    via: "system",
    outcome: "done",
    address: "",
  });
}

export function* appendEntry(entry: AuditEntry): Verb<void> {
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
export function* listEntries(filter: AuditFilter): Verb<KeptEntry[]> {
  const wanted: [condition: string, value: Value][] = [
    ["audit.at >= ?", filter.since],
    ["audit.at < ?", filter.until],
    ["audit.key_id = ?", filter.keyId],
    ["member.id = ?", filter.memberId],
    ["audit.operation = ?", filter.operation],
    ["audit.resource_type = ?", filter.resourceType],
    ["audit.resource_id = ?", filter.resourceId],
    ["audit.outcome = ?", filter.outcome],
    ["audit.seq < ?", filter.before],
  ];
  const given = wanted.filter(([, value]) => value !== null);
  const found = yield* rows<EntryRow>(
    `select audit.*, api_key.name as key_name, member.id as member_id, member.email as email
     from audit
     left join api_key on api_key.id = audit.key_id
     left join member on member.id = api_key.member_id
     where ${["audit.account_id = ?", ...given.map(([condition]) => condition)].join(" and ")}
     order by audit.seq desc limit ?`,
    filter.accountId,
    ...given.map(([, value]) => value),
    filter.limit,
  );
  return found.map(fromRow);
}

export function* forgetEntries(before: number, most: number): Verb<number> {
  return yield* change(
    "delete from audit where seq in (select seq from audit where at < ? order by at limit ?)",
    before,
    most,
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

function fromRow(row: EntryRow): KeptEntry {
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
