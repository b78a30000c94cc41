// A client renames a network volume, or lets it grow.

import type { Clock } from "../../base/clock.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import { networkVolumeRate } from "../../domain/money/rates.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import type { Rhythm } from "../../domain/replica/rhythm.ts";
import { meterVolume } from "../../store/network-volume/meter.ts";
import { changeVolume, lockVolume } from "../../store/network-volume/network-volume.ts";
import { lockFreeDisk } from "../../store/place/places.ts";
import { holdPrices } from "../../store/price-book/hold.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";

export interface VolumeChanges {
  name?: string;
  /** GB. */
  size?: number;
}

export interface VolumeDeps {
  store: Store;
  clock: Clock;
  rhythm: Rhythm;
  catalog: Catalog;
}

export async function changeVolumeOf(
  deps: VolumeDeps,
  accountId: string,
  id: string,
  changes: VolumeChanges,
): Promise<NetworkVolume> {
  const { store, clock } = deps;
  const result = await store.write(keep, deps, accountId, id, changes, clock.now());
  if (result instanceof Fault) throw result;
  return result;
}

function* keep(
  { rhythm, catalog }: VolumeDeps,
  accountId: string,
  id: string,
  { name, size }: VolumeChanges,
  now: number,
): Verb<NetworkVolume | Fault> {
  const before = yield* lockVolume(id);
  if (before?.accountId !== accountId) return new Fault("network_volume_not_found", { id });
  const volume = { ...before, name: name ?? before.name, size: size ?? before.size };
  if (size !== undefined) {
    const refusal = yield* cannotGrow(before, size, now - rhythm.goneMs);
    if (refusal) return refusal;
    yield* holdPrices(catalog);
    yield* meterVolume(volume, networkVolumeRate(catalog, size), now);
  }
  yield* changeVolume(volume);
  return volume;
}

function* cannotGrow(before: NetworkVolume, size: number, since: number): Verb<Fault | null> {
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
