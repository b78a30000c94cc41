// The base of stores that wrap another store: subclasses override `write`, everything else passes through.

import type { CommitCounts } from "../store/engine/commit-counts.ts";
import type { Notifier } from "../store/engine/notifier.ts";
import type { Tx } from "../store/engine/statement.ts";
import type { Store } from "../store/engine/store.ts";

export abstract class StoreWrapper implements Store {
  protected readonly inner: Store;

  constructor(inner: Store) {
    this.inner = inner;
  }

  abstract write<Args extends unknown[], Result>(
    transaction: (...args: Args) => Tx<Result>,
    ...args: Args
  ): Promise<Result>;

  read<Args extends unknown[], Result>(
    transaction: (...args: Args) => Tx<Result>,
    ...args: Args
  ): Promise<Result> {
    return this.inner.read(transaction, ...args);
  }

  time(): Promise<number | null> {
    return this.inner.time();
  }

  get notifier(): Notifier {
    return this.inner.notifier;
  }

  get version(): number | null {
    return this.inner.version;
  }

  get isFull(): boolean {
    return this.inner.isFull;
  }

  get commits(): CommitCounts {
    return this.inner.commits;
  }

  get alone(): boolean {
    return this.inner.alone;
  }

  get dialect(): string {
    return this.inner.dialect;
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
