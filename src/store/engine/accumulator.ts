// Accumulators: what a batch adds up in memory and writes once, with its commit. A table that many calls of
// one batch change defines an accumulator beside its own statements, so the engine knows no table.

import type { JobDuration } from "./commit-counts.ts";
import type { Tx } from "./statement.ts";

/** The sums of one batch. */
export interface Accumulator<Entry> {
  add(entry: Entry): void;
  /**
   * Runs once after the calls of the batch, before its writes. It takes its locks in an order that every replica
   * shares, in its first queries.
   */
  settle?(): Tx<void>;
  /**
   * Transactions of one statement each, in an order that every replica shares: replicas that write the same
   * rows then never deadlock. `slot` tells apart the rows of replicas that write at the same time.
   */
  writes(slot: number): Tx<unknown>[];
  /** The topics to notify after the commit. */
  topics(): Iterable<string>;
  /** The durations of jobs among its entries, for metrics. */
  readonly durations?: readonly JobDuration[];
}

export interface AccumulatorDefinition<Entry> {
  /** Accumulators write in the alphabetical order of their names. */
  readonly name: string;
  create(): Accumulator<Entry>;
}

/** Adds an entry to one of the batch's accumulators. */
export interface Accumulation {
  accumulate: AccumulatorDefinition<unknown>;
  entry: unknown;
}

export function* accumulate<Entry>(
  definition: AccumulatorDefinition<Entry>,
  entry: Entry,
): Tx<void> {
  yield { accumulate: definition, entry };
}

/** Looks at what the calls of the batch have added up so far. */
export interface AccumulatorLookup {
  lookUp: AccumulatorDefinition<unknown>;
  receive: (accumulator: Accumulator<unknown>) => void;
}

/** Returns the batch's accumulator, whose sums no query shows before the commit; null while it has no entry. */
export function* lookUp<Entry, A extends Accumulator<Entry>>(
  definition: AccumulatorDefinition<Entry> & { create(): A },
): Tx<A | null> {
  let accumulator: A | null = null;
  yield {
    lookUp: definition,
    receive: (each) => {
      accumulator = each as A;
    },
  };
  return accumulator;
}
