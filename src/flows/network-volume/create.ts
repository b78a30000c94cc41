// A client creates a network volume. It takes no disk until something uses it.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { type Catalog, idsOf } from "../../domain/catalog/catalog.ts";
import { unknownNames } from "../../domain/catalog/unknown-names.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { networkVolumeRate } from "../../domain/money/rates.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { insertVolume } from "../../store/network-volume/network-volume.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { knownMachines } from "../../store/replica/inventory.ts";
import { createOnce } from "../../transactions/idempotency/create-once.ts";
import { spend } from "../../transactions/money/spend.ts";
import { meterVolume } from "../../transactions/network-volume/meter.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface NewVolume {
  accountId: string;
  name: string;
  size: number;
  type?: NetworkVolume["type"];
  dataCenterId: string;
  once: IdempotencyKey | null;
}

export async function createVolume(
  { store, clock, ids, catalog }: { store: Store; clock: Clock; ids: Ids; catalog: Catalog },
  { once, accountId, name, size, type = "STANDARD", dataCenterId: dataCenter }: NewVolume,
): Promise<NetworkVolume> {
  const dataCenterId = dataCenter.toUpperCase();
  requireDataCenter(catalog, dataCenterId);
  const volume: NetworkVolume = {
    id: ids.short(10),
    accountId,
    name,
    size,
    type,
    dataCenterId,
    machine: null,
    virtual: false,
    createdAt: clock.now(),
  };
  return throwRefusal(store.write(createVolumeOnce, catalog, once, volume));
}

/** Throws the fault that names the data centers if there is no such one. */
export function requireDataCenter({ dataCenters }: Catalog, id: string): void {
  const [detail] = unknownNames("dataCenterId", [id], idsOf(dataCenters), "a data center");
  if (detail !== undefined) throw new Fault("invalid_body", { detail });
}

function* createVolumeOnce(
  catalog: Catalog,
  once: IdempotencyKey | null,
  volume: NetworkVolume,
): Tx<NetworkVolume | Fault> {
  return yield* createOnce(once, volume.createdAt, () => create(catalog, volume));
}

function* create(catalog: Catalog, volume: NetworkVolume): Tx<NetworkVolume | Fault> {
  const { accountId, size, dataCenterId, createdAt } = volume;
  yield* lockPricesShared(catalog);
  const rate = networkVolumeRate(catalog, size);
  const refusal =
    (yield* hasNoMachine(dataCenterId)) ??
    (yield* spend({ accountId, keyId: "" }, { rate }, createdAt));
  if (refusal) return refusal;
  yield* insertVolume(volume);
  yield* meterVolume(volume, rate, createdAt);
  return volume;
}

/** A volume in a data center without machines could never be used. */
function* hasNoMachine(dataCenterId: string): Tx<Fault | null> {
  const centers = (yield* knownMachines()).map(({ inventory }) => inventory.dataCenterId);
  if (centers.some((center) => center === null || center === dataCenterId)) return null;
  const available = [...new Set(centers)].sort().join(", ");
  const detail = `No machine is in ${dataCenterId}; "dataCenterId" can be ${available}.`;
  return new Fault("not_offered", { detail });
}
