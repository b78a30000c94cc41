// The catalog with the prices of this moment, and what keeps them so.

import type { Catalog } from "../domain/catalog/catalog.ts";
import { PricedCatalog } from "../domain/catalog/prices.ts";
import { followPricesLoop } from "../loops/follow-prices.ts";
import type { Loop } from "../loops/loop.ts";
import type { Store } from "../store/store.ts";

export async function openPrices(
  store: Store,
  file: Catalog,
): Promise<{ catalog: PricedCatalog; following: Loop }> {
  const catalog = new PricedCatalog(file);
  const following = followPricesLoop({ store, catalog });
  await following.turn();
  return { catalog, following };
}
