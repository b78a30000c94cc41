// Keeps the prices that this replica shows in step with the price book, whichever replica changed
// them.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { PricedCatalog } from "../../domain/catalog/prices.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { readPrices } from "../../store/price-book/lock.ts";
import type { Loop } from "../engine/loop.ts";

/** The catalog with the present prices, and the loop that keeps them so. */
export async function openPrices(store: Store, file: Catalog) {
  const catalog = new PricedCatalog(file);
  const following = followPricesLoop({ store, catalog });
  await following.run();
  return { catalog, following };
}

function followPricesLoop({ store, catalog }: { store: Store; catalog: PricedCatalog }): Loop {
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
