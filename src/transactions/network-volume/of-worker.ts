// The network volume that a worker mounts: of the volumes that its endpoint names, the one on the
// worker's machine or in its data center.

import { volumeHomeOf } from "../../domain/machine/volume-home.ts";
import { type NetworkVolume, volumeFor } from "../../domain/network-volume/network-volume.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findVolume, lockVolume, placeVolume } from "../../store/network-volume/network-volume.ts";
import { knownMachines } from "../../store/replica/inventory.ts";
import { lockFreeDisk } from "../place/places.ts";

/**
 * Machines that can mount one of these volumes; null if there are no volumes, so that any machine
 * can.
 */
export function* machinesMounting(ids: readonly string[]): Tx<ReadonlySet<string> | null> {
  if (ids.length === 0) return null;
  const volumes = yield* all(ids, findVolume);
  const able = (yield* knownMachines()).filter((each) => {
    const { dataCenterId } = each.inventory;
    return volumeFor(volumes, { home: volumeHomeOf(each), dataCenterId });
  });
  return new Set(able.map(({ machine }) => machine));
}

/**
 * Puts the volume of a new worker on its machine, if this is the volume's first use. False if no
 * volume can be mounted.
 */
export function* placeWorkerVolume(ids: readonly string[], machine: string): Tx<boolean> {
  if (ids.length === 0) return true;
  const volumes = yield* all(ids, lockVolume);
  const place = (yield* knownMachines()).find((each) => each.machine === machine);
  const dataCenterId = place?.inventory.dataCenterId ?? null;
  const home = place ? volumeHomeOf(place) : null;
  const volume = volumeFor(volumes, { home, dataCenterId });
  if (!volume || home === null) return false;
  if (volume.machine !== null) return true;
  if (home !== machine) {
    yield* placeVolume(volume, home, false);
    return true;
  }
  // Workers start regardless of free disk, so the size of a volume that does not fit is virtual.
  const free = yield* lockFreeDisk({ machine, since: 0, except: null });
  yield* placeVolume(volume, machine, free !== null && free < volume.size);
  return true;
}

/** The volume with this home that a worker mounts; undefined if there is none. */
export function* findWorkerVolume(
  ids: readonly string[],
  home: string,
): Tx<NetworkVolume | undefined> {
  return (yield* all(ids, findVolume)).find((volume) => volume.machine === home);
}

function* all(
  ids: readonly string[],
  find: (id: string) => Tx<NetworkVolume | undefined>,
): Tx<NetworkVolume[]> {
  const found: NetworkVolume[] = [];
  for (const id of ids) {
    const volume = yield* find(id);
    if (volume) found.push(volume);
  }
  return found;
}
