// Charges all open usages, some of them in each transaction.

import { HOUR_MS } from "../../base/units.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { openUsageTransaction } from "../../store/ledger/ledger.ts";
import { advanceUsages, chargesOf, endOfRange } from "../../store/usage/pass.ts";
import { postCharges } from "./post-charges.ts";

/** Charges all open usages towards `now`, at most `perTransaction` in each transaction. */
export async function chargeAll(
  store: Pick<Store, "write">,
  now: number,
  perTransaction: number,
): Promise<void> {
  for (let from: number | null = 0; from !== null; ) {
    from = await store.write(chargeSome, from, now, perTransaction);
  }
}

/** Charges everything in one transaction, at most `perStatement` in each statement. */
export function* chargeAtOnce(now: number, perStatement: number): Tx<void> {
  for (let from: number | null = 0; from !== null; ) {
    from = yield* chargeSome(from, now, perStatement);
  }
}

/**
 * Charges the next `limit` open usages with ids above `from` towards `now`, each at most to the end
 * of the hour it is charged to. Returns where to go on: `from` if hours are left, null at the end.
 */
export function* chargeSome(from: number, now: number, limit: number): Tx<number | null> {
  const end = yield* endOfRange(from, limit);
  const range = { from, to: end ?? Number.MAX_SAFE_INTEGER };
  const transaction = yield* openUsageTransaction(range, now);
  if (transaction === null) return end;
  yield* advanceUsages(range, transaction, now);
  const charges = yield* chargesOf(range, transaction);
  yield* postCharges(transaction, charges);
  return charges.some(({ at }) => at + HOUR_MS < now) ? from : end;
}
