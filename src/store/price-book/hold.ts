// Brings a catalog up to the price book.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { PricedCatalog } from "../../domain/catalog/prices.ts";
import type { Verb } from "../statement.ts";
import { holdSeq, lockSeq, readSeq, settings } from "./book.ts";

/** Before something is priced: no price changes then until the surrounding turn is committed. */
export function* holdPrices(catalog: Catalog): Verb<void> {
  if (catalog instanceof PricedCatalog) yield* bringUp(catalog, yield* holdSeq());
}

/** Before prices are changed: whoever prices something meanwhile waits. */
export function* lockPrices(catalog: PricedCatalog): Verb<void> {
  yield* bringUp(catalog, yield* lockSeq());
}

/** For those who show prices. */
export function* readPrices(catalog: PricedCatalog): Verb<void> {
  yield* bringUp(catalog, yield* readSeq());
}

function* bringUp(catalog: PricedCatalog, seq: number): Verb<void> {
  if (seq !== catalog.seq) catalog.set(seq, yield* settings());
}
