// A change of prices, which reprices everything that is metered.

import type { ApiKey } from "../../domain/account.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { idsOf } from "../../domain/catalog/catalog.ts";
import {
  type PricedCatalog,
  type PriceName,
  type PriceSetting,
  priceOf,
} from "../../domain/catalog/prices.ts";
import { unknownGpuTypes, unknownNames } from "../../domain/catalog/unknown-names.ts";
import { Fault } from "../../domain/fault.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockPrices } from "../../store/price-book/lock.ts";
import { addChange, priceSettings } from "../../store/price-book/price-book.ts";
import { requireOperator } from "../account/require-operator.ts";
import { repriceAll } from "./reprice.ts";

export function* savePriceChange(
  catalog: PricedCatalog,
  by: ApiKey,
  desired: readonly PriceSetting[],
  at: number,
): Tx<Fault | null> {
  const refusal = (yield* requireOperator(by.accountId)) ?? unknownOf(catalog, desired);
  if (refusal) return refusal;
  yield* lockPrices(catalog);
  const before = catalog.now;
  let after = before;
  let set = yield* priceSettings();
  for (const each of desired) {
    const next = [...set.filter((one) => !sameName(one, each)), each];
    const { micros, ...name } = each;
    const [from, to] = [priceOf(after, name)!, priceOf(catalog.withSettings(next), name)!];
    const was = set.find((one) => sameName(one, each))?.micros ?? null;
    if (from === to && (was === null) === (micros === null)) continue;
    yield* addChange({ ...name, at, keyId: by.id, from, to, reset: micros === null });
    set = next;
    after = catalog.withSettings(next);
  }
  yield* repriceAll(before, after, at);
  return null;
}

const sameName = (a: PriceName, b: PriceName) =>
  a.kind === b.kind && a.id === b.id && a.price === b.price;

function unknownOf(catalog: Catalog, desired: readonly PriceName[]): Fault | null {
  const ids = (kind: PriceName["kind"]) => [
    ...new Set(desired.filter((each) => each.kind === kind).map(({ id }) => id)),
  ];
  const sentences = [
    ...unknownGpuTypes("gpuTypes", ids("gpuType"), catalog),
    ...unknownNames("cpuFlavors", ids("cpuFlavor"), idsOf(catalog.cpuFlavors), "a CPU flavor"),
  ];
  return sentences.length > 0 ? new Fault("invalid_body", { detail: sentences.join(" ") }) : null;
}
