// Transactions of the ledger: double entry, only ever added to.

import { change, row, type Verb } from "../statement.ts";

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

export function* addEntry(
  transaction: number,
  accountId: string,
  book: "balance" | "revenue" | "funds",
  micros: number,
): Verb<void> {
  yield* change(
    "insert into ledger_entry (transaction_id, account_id, book, micros) values (?, ?, ?, ?)",
    transaction,
    accountId,
    book,
    micros,
  );
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
