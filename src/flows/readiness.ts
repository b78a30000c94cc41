// The readiness check: the store must respond, and soon.

import { type Clock, pause } from "../base/clock.ts";
import { Fault } from "../domain/fault.ts";
import { firstAccount } from "../store/account/account.ts";
import type { Store } from "../store/engine/store.ts";

/** Throws `store_unavailable` if the store does not respond in time. */
export async function checkStore(
  { store, clock }: { store: Store; clock: Clock },
  maxWaitMs: number,
): Promise<void> {
  const over = new AbortController();
  const read = store.read(firstAccount).then(() => true);
  const expired = pause(clock, maxWaitMs, over.signal).then(() => false);
  try {
    if (!(await Promise.race([read, expired]))) throw new Fault("store_unavailable");
  } finally {
    over.abort();
    read.catch(() => {});
  }
}
