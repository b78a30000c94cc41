// An account's money. Every transaction's entries sum to nothing.

import type { Standing } from "../../domain/money/balance.ts";
import { row, rows, together, type Verb } from "../statement.ts";
import { addEntry, openTransaction, settle, type TransactionKind } from "./ledger.ts";
import { owedAt } from "./owed.ts";

export function* standingOf(accountId: string, now: number): Verb<Standing> {
  const kept = yield* rows<{ book: string; micros: number }>(
    "select book, micros from ledger_balance where account_id = ?",
    accountId,
  );
  const inBook = (name: string) => Number(kept.find(({ book }) => book === name)?.micros ?? 0);
  const open = yield* row<{ owed: number | null; rate: number | null }>(
    `select sum(${owedAt("now")} - ${owedAt("metered_to")}) as owed, sum(rate) as rate
     from (select *, cast(? as bigint) as now from usage
       where account_id = ? and ended_at is null and began_at <= ?) as open`,
    now,
    accountId,
    now,
  );
  const owed = Number(open?.owed ?? 0);
  return {
    balance: inBook("balance") - owed,
    perHour: Number(open?.rate ?? 0),
    spent: inBook("revenue") + owed,
  };
}

/** What an account pays at once. */
export function* pay(accountId: string, micros: number, note: string, now: number): Verb<void> {
  yield* post(accountId, { kind: "savings_plan", book: "revenue", micros: -micros, note }, now);
}

/** Credits that the operator gives an account, or takes: what comes in comes from his funds. */
export function* credit(
  accountId: string,
  micros: number,
  kind: "top_up" | "adjustment",
  note: string,
  now: number,
): Verb<void> {
  yield* post(accountId, { kind, book: "funds", micros, note }, now);
}

interface Posting {
  kind: TransactionKind;
  /** Where it comes from, or goes to. */
  book: "funds" | "revenue";
  /** What the account's balance changes by. */
  micros: number;
  note: string;
}

function* post(accountId: string, { kind, book, micros, note }: Posting, now: number): Verb<void> {
  const id = yield* openTransaction(now, kind, note);
  yield* together([
    addEntry(id, accountId, "balance", micros),
    addEntry(id, accountId, book, -micros),
    settle(id),
  ]);
}

/** Transactions whose entries do not sum to nothing: there are none. */
export function* unbalanced(): Verb<number[]> {
  const found = yield* rows<{ transaction_id: number }>(
    "select transaction_id from ledger_entry group by transaction_id having sum(micros) <> 0",
  );
  return found.map(({ transaction_id }) => transaction_id);
}
