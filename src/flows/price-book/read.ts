// What was changed of the prices, and by whom.

import { type PriceChange, priceChanges } from "../../store/price-book/book.ts";
import type { Store } from "../../store/store.ts";
import { mustBeOperator } from "../account/operator.ts";

/** The newest first. */
export async function readPriceChanges(
  { store }: { store: Store },
  { by, before, limit }: { by: string; before: number | null; limit: number },
): Promise<PriceChange[]> {
  const found = await store.read(look, by, before, limit);
  if (Array.isArray(found)) return found;
  throw found;
}

function* look(by: string, before: number | null, limit: number) {
  return (yield* mustBeOperator(by)) ?? (yield* priceChanges(before, limit));
}
