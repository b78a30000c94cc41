// Brings a catalog's prices up to date with the price book.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { PricedCatalog } from "../../domain/catalog/prices.ts";
import type { Tx } from "../engine/statement.ts";
import { lockSeq, lockSeqShared, priceSettings, readSeq } from "./price-book.ts";

/** Call this before pricing something. No price changes until the transaction commits. */
export function* lockPricesShared(catalog: Catalog): Tx<void> {
  if (catalog instanceof PricedCatalog) yield* update(catalog, yield* lockSeqShared());
}

/**
 * Call this before changing prices. Transactions that price something wait until this one commits.
 */
export function* lockPrices(catalog: PricedCatalog): Tx<void> {
  yield* update(catalog, yield* lockSeq());
}

/** Call this before showing prices. */
export function* readPrices(catalog: PricedCatalog): Tx<void> {
  yield* update(catalog, yield* readSeq());
}

function* update(catalog: PricedCatalog, seq: number): Tx<void> {
  if (seq !== catalog.seq) catalog.set(seq, yield* priceSettings());
}
