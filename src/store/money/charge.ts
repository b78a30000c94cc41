// Charging one usage. It is charged up to an instant, its `metered_to`; charging moves that instant and
// posts the difference of what is owed there and here. So nothing is charged twice whoever runs and
// however often, and an instant that moves back gives back exactly what was too much.

import { HOUR_MS, slices } from "../../domain/money/owed.ts";
import { change, type Verb } from "../statement.ts";
import { openTransaction } from "./ledger.ts";
import { post } from "./post.ts";
import { intervalOf, type UsageRow } from "./row.ts";

/** Charges a usage, which is locked in this turn, up to an instant or back to it. */
export function* chargeTo(usage: UsageRow, to: number, now: number): Verb<void> {
  const from = usage.metered_to;
  if (from === to) return;
  const charged = [...slices(intervalOf(usage), from, to, HOUR_MS)].map((slice) => {
    const { ms } = slice;
    return { ...usage, ...slice, run_ms: usage.running * ms, gb_ms: usage.disk_gb * ms };
  });
  const id = yield* openTransaction(now, "usage");
  yield* change("update usage set metered_to = ? where id = ?", to, usage.id);
  yield* post(id, charged);
}
