// Posts charges to the roll-ups and to the ledger.

import { type Tx, together } from "../../store/engine/statement.ts";
import { addEntry, settle } from "../../store/ledger/ledger.ts";
import { addSpend, type Charge } from "../../store/usage/roll-up.ts";

export function* postCharges(transaction: number, charges: readonly Charge[]): Tx<void> {
  const sums = new Map<string, number>();
  for (const { accountId, micros } of charges)
    sums.set(accountId, (sums.get(accountId) ?? 0) + micros);
  // Each step is a single statement, so the steps run in this order even if they travel together.
  yield* together<unknown>([
    ...addSpend(charges),
    ...[...sums].flatMap(([accountId, micros]) => entries(transaction, accountId, micros)),
    settle(transaction),
  ]);
}

function entries(transaction: number, accountId: string, micros: number): Tx<void>[] {
  if (micros === 0) return [];
  return [
    addEntry(transaction, accountId, "balance", -micros),
    addEntry(transaction, accountId, "revenue", micros),
  ];
}
