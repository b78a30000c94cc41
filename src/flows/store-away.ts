// While the store is away, clients are told so at once; workers are not. A worker drops a result
// after three quick tries, and asks for work a thousand times a second if it is refused at once. So
// what it sends is held and tried again until the store is back or the worker's patience is over.

import { type Clock, pause } from "../base/clock.ts";
import { Fault } from "../domain/fault.ts";
import type { Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { StoreAround } from "./store-around.ts";

export function isStoreAway(error: unknown): boolean {
  return error instanceof Fault && error.code === "store_unavailable";
}

/** Between two tries: 50 ms doubling to a second. */
export const AGAIN_MS = { first: 50, longest: 1_000 };

/** How long to go on trying. */
export interface Patience {
  clock: Clock;
  until: number;
  /** Asked for once it is needed; aborts when nobody waits any more. */
  gone: () => AbortSignal;
}

/** Does it again until the store is there; throws its fault when the patience is over. */
export async function patiently<Result>(
  { clock, until, gone }: Patience,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let waitMs = AGAIN_MS.first; ; waitMs = Math.min(2 * waitMs, AGAIN_MS.longest)) {
    try {
      return await work();
    } catch (error) {
      if (!isStoreAway(error) || clock.now() >= until || gone().aborted) throw error;
    }
    await pause(clock, Math.min(waitMs, until - clock.now()), gone());
  }
}

/** A store that is waited for. Each verb is tried again by itself: what was done before stays done. */
export class PatientStore extends StoreAround {
  readonly #patience: Patience;

  constructor(inner: Store, patience: Patience) {
    super(inner);
    this.#patience = patience;
  }

  write<Args extends unknown[], Result>(
    verb: (...args: Args) => Verb<Result>,
    ...args: Args
  ): Promise<Result> {
    return patiently(this.#patience, () => this.inner.write(verb, ...args));
  }

  override read<Args extends unknown[], Result>(
    verb: (...args: Args) => Verb<Result>,
    ...args: Args
  ): Promise<Result> {
    return patiently(this.#patience, () => this.inner.read(verb, ...args));
  }

  override time(): Promise<number | null> {
    return patiently(this.#patience, () => this.inner.time());
  }
}
