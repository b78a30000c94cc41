// The readiness check: the store must respond, and soon. On PostgreSQL other connections write than read, and either
// can be the one that fails.

import { type Clock, Deadline, LATE, within } from "../base/clock.ts";
import { Fault } from "../domain/fault.ts";
import { firstAccount } from "../store/account/account.ts";
import { needsNoSync, type Tx } from "../store/engine/statement.ts";
import type { Store } from "../store/engine/store.ts";

/** Throws `store_unavailable` if the store does not respond in time. */
export async function checkStore(
  { store, clock }: { store: Store; clock: Clock },
  maxWaitMs: number,
): Promise<void> {
  const ask = () => Promise.all([store.read(firstAccount), store.write(readToWrite)]);
  const answers = await within(new Deadline(clock, maxWaitMs), ask);
  if (answers === LATE) throw new Fault("store_unavailable");
}

/** Takes the way of a write and changes nothing. */
function* readToWrite(): Tx<void> {
  yield* firstAccount();
  yield* needsNoSync();
}
