// Changing prices by the operator. Running resources are charged at the new prices from this moment.

import type { Clock } from "../../base/clock.ts";
import type { ApiKey } from "../../domain/account.ts";
import type { PriceUpdate } from "../../domain/catalog/price-update.ts";
import type { PricedCatalog } from "../../domain/catalog/prices.ts";
import type { Store } from "../../store/engine/store.ts";
import { readPrices } from "../../store/price-book/lock.ts";
import { savePriceChange } from "../../transactions/price-book/change.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface PriceDeps {
  store: Store;
  clock: Clock;
  catalog: PricedCatalog;
}

/** Applies all changes, or none. */
export async function changePrices(
  { store, clock, catalog }: PriceDeps,
  by: ApiKey,
  update: PriceUpdate,
): Promise<void> {
  await throwRefusal(store.write(savePriceChange, catalog, by, update, clock.now()));
  await store.read(readPrices, catalog);
}
