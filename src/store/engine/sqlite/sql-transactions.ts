// The transactions of one SQLite connection, as `SqliteConnection` uses them; a test replaces them by a fake.

/** Every method but `sync` and `rest` is done when it returns. */
export interface SqlTransactions {
  begin(): void;
  /**
   * Returns true if a sync must follow: something changed, and `durable` says that a power cut must not
   * undo it.
   */
  commit(durable: boolean): boolean;
  rollback(): void;
  /** True once the transaction has written so much that further calls belong in the next one. */
  isFull(): boolean;
  /** Makes everything committed durable and calls back, at once or later. One sync runs at a time. */
  sync(done: (error: Error | null) => void): void;
  /** Calls back, at once or later, when the next transaction may begin. */
  rest(done: () => void): void;
  /** Sets a mark. What follows is either kept or rolled back to the mark. */
  mark(): void;
  keep(): void;
  /** Returns false if the failure ended the whole transaction, as a full disk does. */
  rollbackToMark(): boolean;
  /** Runs one query; returns its rows or the number of rows it changed. */
  query: RunQuery;
  /** During a sync: reads what was durable before it. Null if that is not available. */
  durableQuery(): RunQuery | null;
}

export type RunQuery = (sql: string, params: unknown[], rows: boolean) => unknown;
