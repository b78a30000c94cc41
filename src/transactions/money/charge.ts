// Charges one usage. A usage is charged up to its `meteredTo`. Charging moves that instant and
// posts the difference of what is owed there and here, so nothing is charged twice, and moving it
// back returns exactly the excess.

import { HOUR_MS, slices } from "../../domain/money/owed.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { openTransaction } from "../../store/ledger/ledger.ts";
import { intervalOf, setMeteredTo, type Usage } from "../../store/usage/usage.ts";
import { postCharges } from "./post-charges.ts";

/** Charges a usage that this transaction has locked, up to an instant or back to it. */
export function* chargeTo(usage: Usage, to: number, now: number): Tx<void> {
  const from = usage.meteredTo;
  if (from === to) return;
  const charges = [...slices(intervalOf(usage), from, to, HOUR_MS)].map((slice) => {
    const { ms } = slice;
    return { ...usage, ...slice, runMs: usage.running ? ms : 0, gbMs: usage.diskGb * ms };
  });
  const transaction = yield* openTransaction(now, "usage");
  yield* setMeteredTo(usage.id, to);
  yield* postCharges(transaction, charges);
}
