// A client makes a network volume. It takes no place before something uses it.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { type Catalog, idsOf } from "../../domain/catalog/catalog.ts";
import { strangers } from "../../domain/catalog/strangers.ts";
import { Fault } from "../../domain/fault.ts";
import { networkVolumeRate } from "../../domain/money/rates.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import { doOnce, type Once } from "../../store/idempotency.ts";
import { meterVolume } from "../../store/network-volume/meter.ts";
import { insertVolume } from "../../store/network-volume/network-volume.ts";
import { holdPrices } from "../../store/price-book/hold.ts";
import { knownMachines } from "../../store/replica/inventory.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { unpaid } from "../billing/unpaid.ts";

export interface NewVolume {
  accountId: string;
  name: string;
  size: number;
  dataCenterId: string;
  once: Once | null;
}

export async function createVolume(
  { store, clock, ids, catalog }: { store: Store; clock: Clock; ids: Ids; catalog: Catalog },
  { once, ...wanted }: NewVolume,
): Promise<NetworkVolume> {
  const dataCenterId = wanted.dataCenterId.toUpperCase();
  const stranger = notACenter(catalog, dataCenterId);
  if (stranger) throw new Fault("invalid_body", { detail: stranger });
  const nowhere = { machine: null, virtual: false };
  const made = { id: ids.short(10), createdAt: clock.now() };
  const volume = { ...wanted, dataCenterId, ...nowhere, ...made };
  const result = await store.write(keep, catalog, once, volume);
  if (result === "conflict") throw new Fault("idempotency_conflict");
  if (result instanceof Fault) throw result;
  return result;
}

/** The sentence that says so, or null. */
export function notACenter({ dataCenters }: Catalog, id: string): string | null {
  return strangers("dataCenterId", [id], idsOf(dataCenters), "a data center")[0] ?? null;
}

function* keep(
  catalog: Catalog,
  once: Once | null,
  volume: NetworkVolume,
): Verb<NetworkVolume | Fault | "conflict"> {
  let refusal: Fault | null = null;
  const result = yield* doOnce(once, volume.createdAt, function* () {
    const { accountId, dataCenterId, createdAt } = volume;
    yield* holdPrices(catalog);
    const rate = networkVolumeRate(catalog, volume.size);
    refusal =
      (yield* nobodyThere(dataCenterId)) ??
      (yield* unpaid({ accountId, keyId: "" }, rate, createdAt));
    if (refusal) return null;
    yield* insertVolume(volume);
    yield* meterVolume(volume, rate, createdAt);
    return volume;
  });
  if (result === "conflict") return result;
  return result.answer ?? refusal!;
}

/** A volume where there is no machine could never be used. */
function* nobodyThere(dataCenterId: string): Verb<Fault | null> {
  const centers = (yield* knownMachines()).map(({ inventory }) => inventory.dataCenterId);
  if (centers.some((center) => center === null || center === dataCenterId)) return null;
  const there = [...new Set(centers)].sort().join(", ");
  const detail = `No machine here stands in ${dataCenterId}; "dataCenterId" can be ${there}.`;
  return new Fault("not_offered", { detail });
}
