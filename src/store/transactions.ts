// The transactions that turns are made of.

/** What a dialect must be able to do for a turn. All but the sync is done when it returns. */
export interface Transactions {
  begin(): void;
  /** `toSync`: all of it is to be durable. True where a sync must follow: nothing changed, nothing to sync. */
  commit(toSync: boolean): boolean;
  rollback(): void;
  /** True once the transaction has written so much that whatever else there is waits for the next. */
  full(): boolean;
  /** Makes all that is committed durable and calls back, at once or later; one at a time. */
  sync(done: (error: Error | null) => void): void;
  /** Calls back, at once or later, when the next transaction may begin. */
  rest(done: () => void): void;
  /** Sets a mark in the transaction; what follows is then kept, or taken back to the mark. */
  mark(): void;
  keep(): void;
  /** False where the failure took the whole transaction with it, as a full disk does. */
  takeBack(): boolean;
  /** Runs one query: its rows, or the number of rows it changed. */
  query: RunQuery;
  /** While a sync is under way: looks at what was durable before it, where that can be had. */
  durable(): RunQuery | null;
}

export type RunQuery = (sql: string, params: unknown[], rows: boolean) => unknown;
