// Posts what was charged: to the roll-ups that histories and budgets are answered from, and to the
// ledger, all in the turn that charges.

import { DAY_MS } from "../../domain/money/owed.ts";
import { change, together, type Verb } from "../statement.ts";
import { addEntry, settle } from "./ledger.ts";
import { facts, type UsageRow } from "./row.ts";

/** What usages that are alike came to in an hour. */
export interface Charged
  extends Pick<
    UsageRow,
    | "account_id"
    | "kind"
    | "endpoint_id"
    | "gpu_type_id"
    | "data_center_id"
    | "image_name"
    | "template_id"
    | "key_id"
  > {
  /** The beginning of the hour. */
  at: number;
  /** Of `ms`, those in which more than a disk was billed. */
  run_ms: number;
  ms: number;
  gb_ms: number;
  micros: number;
}

export function* post(transaction: number, charged: readonly Charged[]): Verb<void> {
  const sums = new Map<string, number>();
  for (const { account_id: id, micros } of charged) sums.set(id, (sums.get(id) ?? 0) + micros);
  // Each is a single statement, so that they are done in this order wherever they travel together.
  yield* together<unknown>([
    ...charged.map((each) => addSpend(spendHour, each, each.at)),
    ...charged.map((each) => addSpend(spendDay, each, Math.floor(each.at / DAY_MS) * DAY_MS)),
    ...[...sums].flatMap(([accountId, micros]) => entries(transaction, accountId, micros)),
    settle(transaction),
  ]);
}

function entries(transaction: number, accountId: string, micros: number): Verb<void>[] {
  if (micros === 0) return [];
  return [
    addEntry(transaction, accountId, "balance", -micros),
    addEntry(transaction, accountId, "revenue", micros),
  ];
}

const spend = (table: string) => `
  insert into ${table} (account_id, kind, at, ${facts}, run_ms, ms, gb_ms, micros)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (account_id, kind, at, ${facts}) do update
    set run_ms = ${table}.run_ms + excluded.run_ms, ms = ${table}.ms + excluded.ms,
      gb_ms = ${table}.gb_ms + excluded.gb_ms, micros = ${table}.micros + excluded.micros`;
const spendHour = spend("spend_hour");
const spendDay = spend("spend_day");

function* addSpend(sql: string, each: Charged, at: number): Verb<void> {
  yield* change(
    sql,
    each.account_id,
    each.kind,
    at,
    each.endpoint_id,
    each.gpu_type_id,
    each.data_center_id,
    each.image_name,
    each.template_id,
    each.key_id,
    each.run_ms,
    each.ms,
    each.gb_ms,
    each.micros,
  );
}
