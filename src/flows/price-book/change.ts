// The operator changes prices. What runs costs the new ones from this moment on.

import type { Clock } from "../../base/clock.ts";
import type { ApiKey } from "../../domain/account.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { idsOf } from "../../domain/catalog/catalog.ts";
import {
  type PricedCatalog,
  type PriceName,
  type PriceSetting,
  priceOf,
  withPrices,
} from "../../domain/catalog/prices.ts";
import { strangers } from "../../domain/catalog/strangers.ts";
import { Fault } from "../../domain/fault.ts";
import { addChange, settings } from "../../store/price-book/book.ts";
import { lockPrices, readPrices } from "../../store/price-book/hold.ts";
import { repriceAll } from "../../store/price-book/reprice.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { mustBeOperator } from "../account/operator.ts";

export interface PriceDeps {
  store: Store;
  clock: Clock;
  catalog: PricedCatalog;
}

/** All of them, or none. */
export async function changePrices(
  { store, clock, catalog }: PriceDeps,
  by: ApiKey,
  wanted: readonly PriceSetting[],
): Promise<void> {
  const refusal = await store.write(change, catalog, by, wanted, clock.now());
  if (refusal) throw refusal;
  await store.read(readPrices, catalog);
}

function* change(
  catalog: PricedCatalog,
  by: ApiKey,
  wanted: readonly PriceSetting[],
  at: number,
): Verb<Fault | null> {
  const refusal = (yield* mustBeOperator(by.accountId)) ?? unknownOf(catalog, wanted);
  if (refusal) return refusal;
  yield* lockPrices(catalog);
  const before = catalog.now;
  let after = before;
  let set = yield* settings();
  for (const each of wanted) {
    const next = [...set.filter((one) => !sameName(one, each)), each];
    const { micros, ...name } = each;
    const [from, to] = [priceOf(after, name)!, priceOf(withPrices(catalog.file, next), name)!];
    const was = set.find((one) => sameName(one, each))?.micros ?? null;
    if (from === to && (was === null) === (micros === null)) continue;
    yield* addChange({ ...name, at, keyId: by.id, from, to, reset: micros === null });
    set = next;
    after = withPrices(catalog.file, next);
  }
  yield* repriceAll(before, after, at);
  return null;
}

const sameName = (a: PriceName, b: PriceName) =>
  a.kind === b.kind && a.id === b.id && a.price === b.price;

function unknownOf(catalog: Catalog, wanted: readonly PriceName[]): Fault | null {
  const ids = (kind: PriceName["kind"]) => [
    ...new Set(wanted.filter((each) => each.kind === kind).map(({ id }) => id)),
  ];
  const sentences = [
    ...strangers("gpuTypes", ids("gpuType"), idsOf(catalog.gpuTypes), "a GPU type"),
    ...strangers("cpuFlavors", ids("cpuFlavor"), idsOf(catalog.cpuFlavors), "a CPU flavor"),
  ];
  return sentences.length > 0 ? new Fault("invalid_body", { detail: sentences.join(" ") }) : null;
}
