// How an account stands: what it has, and what it spends now.

import type { Clock } from "../../base/clock.ts";
import { type Standing, standingOf } from "../../store/money/books.ts";
import type { Store } from "../../store/store.ts";

/** Charged to this moment, also where the ledger is a little behind. */
export function standing(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
): Promise<Standing> {
  return store.read(standingOf, accountId, clock.now());
}
