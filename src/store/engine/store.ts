// The store as the other modules see it: transactions go in, results come out once they are durable.

import type { CommitCounts } from "./commit-counts.ts";
import type { Notifier } from "./notifier.ts";
import type { Tx } from "./statement.ts";

export interface Store {
  /**
   * Runs a transaction in the current batch. Resolves after the commit, so the caller may acknowledge; rejects
   * with the fault `store_unavailable` if the database could not commit.
   */
  write<Args extends unknown[], Result>(
    transaction: (...args: Args) => Tx<Result>,
    ...args: Args
  ): Promise<Result>;
  /** Runs a transaction that only reads, on committed data. */
  read<Args extends unknown[], Result>(
    transaction: (...args: Args) => Tx<Result>,
    ...args: Args
  ): Promise<Result>;
  /** The database's clock in ms since the epoch; null if it is this machine's own. */
  time(): Promise<number | null>;
  /** Notifications that follow commits. They are hints: a listener reads the store again. */
  readonly notifier: Notifier;
  /** True if no other process can have this store open. */
  readonly alone: boolean;
  /** Rises with every change; null while, or where, the number is unknown. */
  readonly version: number | null;
  /** True while the disk has no room for new jobs; transactions that free room still run. */
  readonly isFull: boolean;
  /** Counts of the batches that this process committed. */
  readonly commits: CommitCounts;
  /** For people: "sqlite" or "postgres". */
  readonly dialect: string;
  close(): Promise<void>;
}
