// The store as the rest of the house sees it: verbs go in, results come out once they are durable.

import type { Verb } from "./statement.ts";
import type { TurnCounts } from "./turn-counts.ts";
import type { Wakes } from "./wakes.ts";

export interface Store {
  /**
   * Runs a verb in the current turn's transaction. Resolves after the commit, so whoever awaits it
   * may acknowledge; rejects with the fault `store_unavailable` if it could not be written.
   */
  write<Args extends unknown[], Result>(
    verb: (...args: Args) => Verb<Result>,
    ...args: Args
  ): Promise<Result>;
  /** Runs a verb that only reads, on what is committed. */
  read<Args extends unknown[], Result>(
    verb: (...args: Args) => Verb<Result>,
    ...args: Args
  ): Promise<Result>;
  /** The database's clock in ms since the epoch; null where it is this machine's own. */
  time(): Promise<number | null>;
  /** Wake-ups that follow commits. Hints: whoever is woken reads the truth again. */
  readonly wakes: Wakes;
  /** True where no other process can have this store open. */
  readonly alone: boolean;
  /** Rises with whatever is written; null while, or where, that cannot be told. */
  readonly version: number | null;
  /** What its turns came to so far, in this process. */
  readonly turns: TurnCounts;
  /** For people: "sqlite" or "postgres". */
  readonly dialect: string;
  close(): Promise<void>;
}
