// A client renames a network volume, or lets it grow.

import type { Clock } from "../../base/clock.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import { networkVolumeRate } from "../../domain/money/rates.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { changeVolume, lockVolume } from "../../store/network-volume/network-volume.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { spend } from "../../transactions/money/spend.ts";
import { meterVolume } from "../../transactions/network-volume/meter.ts";
import { lockFreeDisk } from "../../transactions/place/places.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface VolumeChanges {
  name?: string;
  /** GB. */
  size?: number;
}

export interface VolumeDeps {
  store: Store;
  clock: Clock;
  heartbeatTiming: HeartbeatTiming;
  catalog: Catalog;
}

export function changeVolumeOf(
  deps: VolumeDeps,
  accountId: string,
  id: string,
  changes: VolumeChanges,
): Promise<NetworkVolume> {
  return throwRefusal(deps.store.write(change, deps, accountId, id, changes, deps.clock.now()));
}

function* change(
  { heartbeatTiming, catalog }: VolumeDeps,
  accountId: string,
  id: string,
  { name, size }: VolumeChanges,
  now: number,
): Tx<NetworkVolume | Fault> {
  const before = yield* lockVolume(id);
  if (before?.accountId !== accountId) return new Fault("network_volume_not_found", { id });
  const volume = { ...before, name: name ?? before.name, size: size ?? before.size };
  if (size !== undefined) {
    yield* lockPricesShared(catalog);
    const [rate, rateBefore] = [size, before.size].map((gb) => networkVolumeRate(catalog, gb));
    const refusal =
      (yield* cannotGrow(before, size, now - heartbeatTiming.goneMs)) ??
      (yield* spend({ accountId, keyId: "" }, { rate: rate! - rateBefore! }, now));
    if (refusal) return refusal;
    yield* meterVolume(volume, rate!, now);
  }
  yield* changeVolume(volume);
  return volume;
}

function* cannotGrow(before: NetworkVolume, size: number, since: number): Tx<Fault | null> {
  if (size <= before.size) {
    const detail = `"size" is ${size}; a network volume of ${before.size} GB can only grow.`;
    return new Fault("invalid_body", { detail });
  }
  if (before.machine === null || before.virtual) return null;
  const free = yield* lockFreeDisk({ machine: before.machine, since, except: null });
  const more = size - before.size;
  if (free === null || free >= more) return null;
  return new Fault("no_disk", { machine: before.machine, free: Math.max(0, free), more });
}
