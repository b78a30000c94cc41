// Brings a catalog's prices up to date with the price book.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { PricedCatalog } from "../../domain/catalog/prices.ts";
import type { Tx } from "../engine/statement.ts";
import { type BookState, lockBook, lockBookShared, priceSettings, readBook } from "./price-book.ts";

/** Call this before pricing something. No price changes until the transaction commits. */
export function* lockPricesShared(catalog: Catalog): Tx<void> {
  if (catalog instanceof PricedCatalog) yield* update(catalog, yield* lockBookShared());
}

/**
 * Call this before changing prices. Transactions that price something wait until this one commits.
 */
export function* lockPrices(catalog: PricedCatalog): Tx<void> {
  yield* update(catalog, yield* lockBook());
}

/**
 * Call this before keeping GPUs for a holder. Everything that places a workload prices it first, so that it waits until this
 * transaction commits.
 */
export function* lockPlacement(catalog: Catalog): Tx<void> {
  if (catalog instanceof PricedCatalog) yield* lockPrices(catalog);
  else yield* lockBook();
}

/** Call this before showing prices, or checking names of GPU types. */
export function* readPrices(catalog: Catalog): Tx<void> {
  if (catalog instanceof PricedCatalog) yield* update(catalog, yield* readBook());
}

function* update(catalog: PricedCatalog, { version, ...book }: BookState): Tx<void> {
  if (version === catalog.version) return;
  catalog.set(version, { ...book, settings: yield* priceSettings() });
}
