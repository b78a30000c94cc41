// Keeps the prices that this replica shows in step with the price book, whichever replica changed
// them.

import type { PricedCatalog } from "../../domain/catalog/prices.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { readPrices } from "../../store/price-book/lock.ts";
import type { Loop } from "../engine/loop.ts";

export function followPricesLoop({
  store,
  catalog,
}: {
  store: Store;
  catalog: PricedCatalog;
}): Loop {
  return {
    name: "follow-prices",
    shared: false,
    periodMs: 60_000,
    restMs: 0,
    topics: [topic.prices],
    async run() {
      await store.read(readPrices, catalog);
      return null;
    },
  };
}
