// Retries while the store is unavailable. Clients get an error immediately, but workers do not: a
// worker drops a result after three quick tries and polls in a tight loop if it is refused at once. So
// a worker's request is held and retried until the store is back or a deadline passes.

import { type Deadline, pause } from "../base/clock.ts";
import { Fault } from "../domain/fault.ts";
import type { Tx } from "../store/engine/statement.ts";
import type { Store } from "../store/engine/store.ts";
import { StoreWrapper } from "./store-wrapper.ts";

export function isStoreUnavailable(error: unknown): boolean {
  return error instanceof Fault && error.code === "store_unavailable";
}

/** The wait between tries: 50 ms, doubling up to a second. */
export const RETRY_MS = { first: 50, longest: 1_000 };

/** The deadline of the retries. */
export interface RetryDeadline {
  deadline: Deadline;
  /** Called only when needed. The signal aborts when the caller disconnects. */
  signal: () => AbortSignal;
}

/** Retries work until the store is available; throws the store's fault after the deadline. */
export async function retryWhileUnavailable<Result>(
  { deadline, signal }: RetryDeadline,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let waitMs = RETRY_MS.first; ; waitMs = Math.min(2 * waitMs, RETRY_MS.longest)) {
    try {
      return await work();
    } catch (error) {
      if (!isStoreUnavailable(error) || deadline.isOver() || signal().aborted) throw error;
    }
    await pause(deadline.clock, Math.min(waitMs, deadline.leftMs()), signal());
  }
}

/** A store that retries each transaction while the store is unavailable. Earlier transactions stay committed. */
export class RetryingStore extends StoreWrapper {
  readonly #retryDeadline: RetryDeadline;

  constructor(inner: Store, retryDeadline: RetryDeadline) {
    super(inner);
    this.#retryDeadline = retryDeadline;
  }

  write<Args extends unknown[], Result>(
    transaction: (...args: Args) => Tx<Result>,
    ...args: Args
  ): Promise<Result> {
    return retryWhileUnavailable(this.#retryDeadline, () => this.inner.write(transaction, ...args));
  }

  override read<Args extends unknown[], Result>(
    transaction: (...args: Args) => Tx<Result>,
    ...args: Args
  ): Promise<Result> {
    return retryWhileUnavailable(this.#retryDeadline, () => this.inner.read(transaction, ...args));
  }

  override time(): Promise<number | null> {
    return retryWhileUnavailable(this.#retryDeadline, () => this.inner.time());
  }
}
