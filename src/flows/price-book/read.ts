// Reading the history of price changes, and the GPUs that have no price.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { type FleetGpus, unpricedGpus } from "../../domain/catalog/own-types.ts";
import type { Store } from "../../store/engine/store.ts";
import { type PriceChange, priceChanges } from "../../store/price-book/price-book.ts";
import { knownMachines } from "../../store/replica/inventory.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";

/** Returns the changes, newest first. */
export async function readPriceChanges(
  { store }: { store: Store },
  { by, before, limit }: { by: string; before: number | null; limit: number },
): Promise<PriceChange[]> {
  const found = await store.read(readChanges, by, before, limit);
  if (Array.isArray(found)) return found;
  throw found;
}

function* readChanges(by: string, before: number | null, limit: number) {
  return (yield* requireOperator(by)) ?? (yield* priceChanges(before, limit));
}

/** The GPUs of the fleet that no client can rent for want of a price; null for other accounts than the operator's. */
export async function readUnpricedGpus(
  { store, catalog }: { store: Store; catalog: Catalog },
  by: string,
): Promise<FleetGpus[] | null> {
  const machines = await store.read(machinesForOperator, by);
  return machines && unpricedGpus(catalog, machines);
}

function* machinesForOperator(by: string) {
  return (yield* requireOperator(by)) ? null : yield* knownMachines();
}
