// Reading the history of price changes.

import type { Store } from "../../store/engine/store.ts";
import { type PriceChange, priceChanges } from "../../store/price-book/price-book.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";

/** Returns the changes, newest first. */
export async function readPriceChanges(
  { store }: { store: Store },
  { by, before, limit }: { by: string; before: number | null; limit: number },
): Promise<PriceChange[]> {
  const found = await store.read(readChanges, by, before, limit);
  if (Array.isArray(found)) return found;
  throw found;
}

function* readChanges(by: string, before: number | null, limit: number) {
  return (yield* requireOperator(by)) ?? (yield* priceChanges(before, limit));
}
