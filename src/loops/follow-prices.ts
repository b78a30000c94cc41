// Keeps the prices that are shown here those of the price book, whichever replica changed them.

import type { PricedCatalog } from "../domain/catalog/prices.ts";
import { readPrices } from "../store/price-book/hold.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import type { Loop } from "./loop.ts";

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
    async turn() {
      await store.read(readPrices, catalog);
      return null;
    },
  };
}
