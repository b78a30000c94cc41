// A store around another one. Who has something to do about its verbs says what; all else is the other's.

import type { Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import type { TurnCounts } from "../store/turn-counts.ts";
import type { Wakes } from "../store/wakes.ts";

export abstract class StoreAround implements Store {
  protected readonly inner: Store;

  constructor(inner: Store) {
    this.inner = inner;
  }

  abstract write<Args extends unknown[], Result>(
    verb: (...args: Args) => Verb<Result>,
    ...args: Args
  ): Promise<Result>;

  read<Args extends unknown[], Result>(
    verb: (...args: Args) => Verb<Result>,
    ...args: Args
  ): Promise<Result> {
    return this.inner.read(verb, ...args);
  }

  time(): Promise<number | null> {
    return this.inner.time();
  }

  get wakes(): Wakes {
    return this.inner.wakes;
  }

  get version(): number | null {
    return this.inner.version;
  }

  get turns(): TurnCounts {
    return this.inner.turns;
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
