// The ledger: double entry, append-only. Every transaction's entries sum to zero.

import { change, row, rows, type Tx, together } from "../engine/statement.ts";

export type TransactionKind = "usage" | "top_up" | "adjustment" | "savings_plan";

type Book = "balance" | "revenue" | "funds";

export function* openTransaction(at: number, kind: TransactionKind, note = ""): Tx<number> {
  const opened = yield* row<{ id: number }>(
    "insert into ledger_transaction (at, kind, note) values (?, ?, ?) returning id",
    at,
    kind,
    note,
  );
  return opened!.id;
}

/** Opens a transaction for a range of open usages, unless all of them are charged up to `now`. */
export function* openUsageTransaction(
  { from, to }: { from: number; to: number },
  now: number,
): Tx<number | null> {
  const opened = yield* row<{ id: number }>(
    `insert into ledger_transaction (at, kind, note)
     select cast(? as bigint), 'usage', '' where exists
       (select 1 from usage where ended_at is null and id > ? and id <= ? and metered_to < ?)
     returning id`,
    now,
    from,
    to,
    now,
  );
  return opened?.id ?? null;
}

export function* addEntry(
  transaction: number,
  accountId: string,
  book: Book,
  micros: number,
): Tx<void> {
  yield* change(
    "insert into ledger_entry (transaction_id, account_id, book, micros) values (?, ?, ?, ?)",
    transaction,
    accountId,
    book,
    micros,
  );
}

/** Adds a transaction's entries to the balances of their books. */
export function* settle(transaction: number): Tx<void> {
  yield* change(
    `insert into ledger_balance (account_id, book, micros)
     select account_id, book, micros from ledger_entry where transaction_id = ?
     order by account_id, book
     on conflict (account_id, book) do update
       set micros = ledger_balance.micros + excluded.micros`,
    transaction,
  );
}

/** An account pays at once, not by usage. */
export function* pay(accountId: string, micros: number, note: string, now: number): Tx<void> {
  yield* post(accountId, { kind: "savings_plan", book: "revenue", micros: -micros, note }, now);
}

/** The operator adds credits to an account, or removes some: the counter-entry is in its funds. */
export function* postCredit(
  accountId: string,
  credit: { micros: number; kind: "top_up" | "adjustment"; note: string },
  now: number,
): Tx<void> {
  yield* post(accountId, { ...credit, book: "funds" }, now);
}

interface Posting {
  kind: TransactionKind;
  /** The book of the counter-entry. */
  book: "funds" | "revenue";
  /** The change of the account's balance. */
  micros: number;
  note: string;
}

function* post(accountId: string, { kind, book, micros, note }: Posting, now: number): Tx<void> {
  const id = yield* openTransaction(now, kind, note);
  yield* together([
    addEntry(id, accountId, "balance", micros),
    addEntry(id, accountId, book, -micros),
    settle(id),
  ]);
}

/** What is posted to an account's books; what open usages owe beyond it is not in them. */
export function* postedOf(accountId: string): Tx<{ balance: number; revenue: number }> {
  const books = yield* rows<{ book: Book; micros: number }>(
    "select book, micros from ledger_balance where account_id = ?",
    accountId,
  );
  const inBook = (name: Book) => Number(books.find(({ book }) => book === name)?.micros ?? 0);
  return { balance: inBook("balance"), revenue: inBook("revenue") };
}

export interface OtherPosting {
  at: number;
  kind: Exclude<TransactionKind, "usage">;
  note: string;
  /** The change of the balance. */
  micros: number;
}

const OTHERS = `ledger_transaction join ledger_entry on ledger_entry.transaction_id = ledger_transaction.id
  where ledger_transaction.kind <> 'usage' and ledger_entry.account_id = ?
    and ledger_entry.book = 'balance' and ledger_transaction.at`;

/** Credits and payments within a time, oldest first: what changed the balance beside use. */
export function* otherPostings(accountId: string, from: number, to: number): Tx<OtherPosting[]> {
  return yield* rows<OtherPosting>(
    `select ledger_transaction.at, ledger_transaction.kind, ledger_transaction.note, ledger_entry.micros
     from ${OTHERS} >= ? and ledger_transaction.at < ? order by ledger_transaction.id`,
    accountId,
    from,
    to,
  );
}

/** The sum of credits and payments before an instant. */
export function* othersBefore(accountId: string, at: number): Tx<number> {
  const sum = yield* row<{ micros: number | null }>(
    `select sum(ledger_entry.micros) as micros from ${OTHERS} < ?`,
    accountId,
    at,
  );
  return Number(sum?.micros ?? 0);
}

/** Ids of transactions whose entries do not sum to zero. There must be none. */
export function* unbalanced(): Tx<number[]> {
  const found = yield* rows<{ transaction_id: number }>(
    "select transaction_id from ledger_entry group by transaction_id having sum(micros) <> 0",
  );
  return found.map(({ transaction_id }) => transaction_id);
}
