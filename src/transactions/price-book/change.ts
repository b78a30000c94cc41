// A change of prices, which reprices everything that is metered.

import type { ApiKey } from "../../domain/account.ts";
import { fleetGpus } from "../../domain/catalog/own-types.ts";
import { newTypeIds, type PriceUpdate, resolveUpdate } from "../../domain/catalog/price-update.ts";
import { type PricedCatalog, type PriceName, priceOf } from "../../domain/catalog/prices.ts";
import { Fault } from "../../domain/fault.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockPrices } from "../../store/price-book/lock.ts";
import { addChange, priceSettings, setOwnTypes } from "../../store/price-book/price-book.ts";
import { knownMachines } from "../../store/replica/inventory.ts";
import { requireOperator } from "../account/require-operator.ts";
import { repriceAll } from "./reprice.ts";

export function* savePriceChange(
  catalog: PricedCatalog,
  by: ApiKey,
  update: PriceUpdate,
  at: number,
): Tx<Fault | null> {
  const refusal = yield* requireOperator(by.accountId);
  if (refusal) return refusal;
  yield* lockPrices(catalog);
  const machines = newTypeIds(catalog, update).length > 0 ? yield* knownMachines() : [];
  const fleet = fleetGpus(machines, catalog.namedTypes);
  const { settings, ownTypes, errors } = resolveUpdate(catalog, update, fleet);
  if (errors.length > 0) return new Fault("invalid_body", { detail: errors.join(" ") });
  if (ownTypes) yield* setOwnTypes(ownTypes);
  const before = catalog.now;
  const catalogWith = (set: typeof settings) =>
    catalog.with({ settings: set, ...(ownTypes && { ownTypes }) });
  let set = yield* priceSettings();
  let after = catalogWith(set);
  for (const each of settings) {
    const next = [...set.filter((one) => !sameName(one, each)), each];
    const { micros, ...name } = each;
    const changed = catalogWith(next);
    const [from, to] = [priceOf(after, name) ?? null, priceOf(changed, name) ?? null];
    const was = set.find((one) => sameName(one, each))?.micros ?? null;
    if (from === to && (was === null) === (micros === null)) continue;
    yield* addChange({ ...name, at, keyId: by.id, from, to, reset: micros === null });
    set = next;
    after = changed;
  }
  yield* repriceAll(before, after, at);
  return null;
}

const sameName = (a: PriceName, b: PriceName) =>
  a.kind === b.kind && a.id === b.id && a.price === b.price;
