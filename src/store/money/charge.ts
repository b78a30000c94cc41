// Charging. A usage is charged up to an instant, its `metered_to`; charging moves that instant and
// posts the difference of what is owed there and here. So nothing is charged twice whoever runs and
// however often, and an instant that moves back gives back exactly what was too much.

import { HOUR_MS } from "../../domain/money/owed.ts";
import { change, row, type Verb } from "../statement.ts";

const HOUR = HOUR_MS;
const DAY = 24 * HOUR;

/** What domain/money/owed.ts says, in SQL; hours apart, so that no product grows too large. */
export const owedAt = (at: string) =>
  `((${at} - began_at) / ${HOUR} * rate + ((${at} - began_at) % ${HOUR} * rate + carry) / ${HOUR})`;

const ms = "(metered_to - metered_from)";
const micros = `(${owedAt("metered_to")} - ${owedAt("metered_from")})`;
const earlier = "(case when metered_from < metered_to then metered_from else metered_to end)";

/** By usage and by the hour or the day; what came before is added to. */
const slices = (table: string, unit: number) => `
  insert into ${table} (usage_id, at, ms, micros)
  select id, ${earlier} / ${unit} * ${unit}, ${ms}, ${micros} from usage where pass = ?
  on conflict (usage_id, at) do update
    set ms = ${table}.ms + excluded.ms, micros = ${table}.micros + excluded.micros`;
const usageHour = slices("usage_hour", HOUR);
const usageDay = slices("usage_day", DAY);

const facts = "endpoint_id, gpu_type_id, data_center_id, image_name, template_id, key_id";
/** The same by everything but the usage, so that a long history of many is short. */
const spend = (table: string, unit: number) => `
  insert into ${table} (account_id, kind, at, ${facts}, run_ms, ms, gb_ms, micros)
  select account_id, kind, ${earlier} / ${unit} * ${unit}, ${facts},
    sum(case when running = 1 then ${ms} else 0 end), sum(${ms}), sum(disk_gb * ${ms}), sum(${micros})
  from usage where pass = ?
  group by account_id, kind, ${earlier} / ${unit} * ${unit}, ${facts}
  on conflict (account_id, kind, at, ${facts}) do update
    set run_ms = ${table}.run_ms + excluded.run_ms, ms = ${table}.ms + excluded.ms,
      gb_ms = ${table}.gb_ms + excluded.gb_ms, micros = ${table}.micros + excluded.micros`;
const spendHour = spend("spend_hour", HOUR);
const spendDay = spend("spend_day", DAY);

const entries = (book: string, sign: "-" | "+") => `
  insert into ledger_entry (transaction_id, account_id, book, micros)
  select pass, account_id, '${book}', ${sign}sum(${micros}) from usage where pass = ?
  group by pass, account_id having sum(${micros}) <> 0`;
const fromBalance = entries("balance", "-");
const toRevenue = entries("revenue", "+");

/**
 * Charges up to `most` open usages towards `now`, each at most to the end of the hour it stands in;
 * returns how many there were.
 */
export function* chargeDue(now: number, most: number): Verb<number> {
  const due = yield* row(
    "select 1 from usage where ended_at is null and metered_to < ? limit 1",
    now,
  );
  if (!due) return 0;
  const id = yield* openTransaction(now, "usage");
  const hourEnd = `(metered_to / ${HOUR} + 1) * ${HOUR}`;
  const count = yield* change(
    `update usage set pass = ?, metered_from = metered_to,
       metered_to = case when ${hourEnd} < ? then ${hourEnd} else ? end
     where id in (select id from usage where ended_at is null and metered_to < ?
       order by metered_to limit ? /*+ for update skip locked */)`,
    id,
    now,
    now,
    now,
    most,
  );
  yield* post(id);
  return count;
}

/** Charges one usage up to `to`, or back to it, hour by hour. It is locked in this turn. */
export function* chargeTo(usageId: number, from: number, to: number, now: number): Verb<void> {
  for (let at = from; at !== to; ) {
    const hour = Math.floor((at < to ? at : at - 1) / HOUR) * HOUR;
    const next = at < to ? Math.min(to, hour + HOUR) : Math.max(to, hour);
    const id = yield* openTransaction(now, "usage");
    yield* change(
      "update usage set pass = ?, metered_from = metered_to, metered_to = ? where id = ?",
      id,
      next,
      usageId,
    );
    yield* post(id);
    at = next;
  }
}

/** What the marked usages moved over, each within one hour. */
function* post(transaction: number): Verb<void> {
  for (const sql of [usageHour, usageDay, spendHour, spendDay, fromBalance, toRevenue]) {
    yield* change(sql, transaction);
  }
  yield* settle(transaction);
}

export type TransactionKind = "usage" | "top_up" | "adjustment" | "savings_plan";

export function* openTransaction(at: number, kind: TransactionKind, note = ""): Verb<number> {
  const made = yield* row<{ id: number }>(
    "insert into ledger_transaction (at, kind, note) values (?, ?, ?) returning id",
    at,
    kind,
    note,
  );
  return made!.id;
}

/** Adds a transaction's entries to the balances of the books they are in. */
export function* settle(transaction: number): Verb<void> {
  yield* change(
    `insert into ledger_balance (account_id, book, micros)
     select account_id, book, micros from ledger_entry where transaction_id = ?
     order by account_id, book
     on conflict (account_id, book) do update
       set micros = ledger_balance.micros + excluded.micros`,
    transaction,
  );
}
