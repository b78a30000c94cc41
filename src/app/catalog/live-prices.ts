// The catalog with current prices, and the loop that keeps them current.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { PricedCatalog } from "../../domain/catalog/prices.ts";
import type { Loop } from "../../loops/engine/loop.ts";
import { followPricesLoop } from "../../loops/money/follow-prices.ts";
import type { Store } from "../../store/engine/store.ts";

export async function openPrices(
  store: Store,
  file: Catalog,
): Promise<{ catalog: PricedCatalog; following: Loop }> {
  const catalog = new PricedCatalog(file);
  const following = followPricesLoop({ store, catalog });
  await following.run();
  return { catalog, following };
}
