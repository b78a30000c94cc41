// The network volume that an endpoint's worker mounts: one of those that its endpoint names, the one
// that is where the worker is.

import { type NetworkVolume, volumeFor } from "../../domain/network-volume/network-volume.ts";
import { findVolume, lockVolume, settleVolume } from "../../store/network-volume/network-volume.ts";
import { lockFreeDisk } from "../../store/place/places.ts";
import { knownMachines } from "../../store/replica/inventory.ts";
import type { Verb } from "../../store/statement.ts";

/** Machines that can mount one of these volumes; null where there are none and any will do. */
export function* machinesMounting(ids: readonly string[]): Verb<ReadonlySet<string> | null> {
  if (ids.length === 0) return null;
  const volumes = yield* all(ids, findVolume);
  const able = (yield* knownMachines()).filter(({ machine, inventory }) => {
    return volumeFor(volumes, { machine, dataCenterId: inventory.dataCenterId });
  });
  return new Set(able.map(({ machine }) => machine));
}

/** For a new worker there: a volume that nothing used yet is settled. False where none can be mounted. */
export function* settleOn(ids: readonly string[], machine: string): Verb<boolean> {
  if (ids.length === 0) return true;
  const volumes = yield* all(ids, lockVolume);
  const place = (yield* knownMachines()).find((each) => each.machine === machine);
  const dataCenterId = place?.inventory.dataCenterId ?? null;
  const volume = place && volumeFor(volumes, { machine, dataCenterId });
  if (!volume) return false;
  if (volume.machine !== null) return true;
  // Workers are started whatever disk is left; a volume that does not fit is promised on paper.
  const free = yield* lockFreeDisk({ machine, since: 0, except: null });
  yield* settleVolume(volume, machine, free !== null && free < volume.size);
  return true;
}

/** The one that a worker there has; undefined where there is none. */
export function* volumeOn(
  ids: readonly string[],
  machine: string,
): Verb<NetworkVolume | undefined> {
  return (yield* all(ids, findVolume)).find((volume) => volume.machine === machine);
}

function* all(
  ids: readonly string[],
  find: (id: string) => Verb<NetworkVolume | undefined>,
): Verb<NetworkVolume[]> {
  const found: NetworkVolume[] = [];
  for (const id of ids) {
    const volume = yield* find(id);
    if (volume) found.push(volume);
  }
  return found;
}
