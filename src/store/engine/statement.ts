// The language of transactions. A transaction is a generator: it yields the statements to run and is sent their
// results. So each is written once, and each database drives it in its own way: SQLite synchronously on the event
// loop, PostgreSQL over a connection.

import type { Span, Tracer } from "../../domain/trace/span.ts";
import type { Accumulation, AccumulatorLookup } from "./accumulator.ts";

export type Value = string | number | bigint | null | Uint8Array;

/** A statement with `?` placeholders. Its text must be constant, because it is prepared once. */
export interface Query {
  sql: string;
  params: Value[];
  /** False if the caller needs only the number of changed rows. */
  rows: boolean;
}

/** Notifies the listeners of a topic after the commit. */
export interface TopicNotification {
  notify: string;
  /** True if one listener is enough: a job that one worker can claim. */
  one?: boolean;
  /** What a listener would read, as committed. */
  payload?: unknown;
}

/** Marks a call whose changes a power cut may undo. A batch of such calls commits without a sync. */
interface NoSync {
  noSync: true;
}

/** Runs transactions concurrently; their results come back in order. */
interface Together {
  together: Tx<unknown>[];
}

/** Asks whether this connection is the only one that can write. */
interface SoleWriter {
  soleWriter: true;
}

/** Spans that the commit ends, for the tracer of this replica. */
export interface EndedSpans {
  spans: (tracer: Tracer) => Span[];
}

export type Step = Query | Note | Together | SoleWriter;
/** A step without a result. */
export type Note = TopicNotification | Accumulation | AccumulatorLookup | NoSync | EndedSpans;
export type Tx<Result> = Generator<Step, Result, unknown>;

/** Runs a query and returns all its rows. */
export function* rows<Row>(sql: string, ...params: Value[]): Tx<Row[]> {
  return (yield { sql, params, rows: true }) as Row[];
}

/** Runs a query and returns its first row, if there is one. */
export function* row<Row>(sql: string, ...params: Value[]): Tx<Row | undefined> {
  const found = (yield { sql, params, rows: true }) as Row[];
  return found[0];
}

/** Runs a statement and returns the number of rows it changed. */
export function* change(sql: string, ...params: Value[]): Tx<number> {
  return (yield { sql, params, rows: false }) as number;
}

/** With a `payload`, listeners need not query the store. */
export function* notify(topic: string, payload?: unknown): Tx<void> {
  yield { notify: topic, payload };
}

/** Notifies one listener, the one that has waited longest. */
export function* notifyOne(topic: string): Tx<void> {
  yield { notify: topic, one: true };
}

/** Only for changes that a power cut may undo without breaking a promise to a client. */
export function* needsNoSync(): Tx<void> {
  yield { noSync: true };
}

/** Records spans after the commit. They are built only where tracing is on. */
export function* endSpans(spans: EndedSpans["spans"]): Tx<void> {
  yield { spans };
}

/**
 * Runs transactions that are safe side by side. Where a query is a round trip, the next queries of all of them
 * share one; elsewhere they run one after another.
 */
export function* together<Result>(transactions: Tx<Result>[]): Tx<Result[]> {
  if (transactions.length === 0) return [];
  return (yield { together: transactions }) as Result[];
}

/**
 * True where no other connection can write meanwhile, as in SQLite: what a transaction reads then holds until its
 * commit, without a lock.
 */
export function* isSoleWriter(): Tx<boolean> {
  return (yield { soleWriter: true }) as boolean;
}

const concurrent = new WeakSet<object>();

/**
 * Declares a transaction safe beside others of its kind in one database transaction, with their queries
 * interleaved. Its first query must decide, by changing a row only if it is as expected, and the following ones
 * must not touch what another such transaction decides on.
 */
export function sideBySide<Args extends unknown[], Result>(
  transaction: (...args: Args) => Tx<Result>,
): (...args: Args) => Tx<Result> {
  concurrent.add(transaction);
  return transaction;
}

export function isSideBySide(transaction: object): boolean {
  return concurrent.has(transaction);
}
