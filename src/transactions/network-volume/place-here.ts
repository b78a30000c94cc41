// The first use of a network volume by a client that reaches its files without a workload: its data is
// on this machine from then on.

import { Fault } from "../../domain/fault.ts";
import { type NetworkVolume, volumeFor } from "../../domain/network-volume/network-volume.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findVolume, lockVolume, placeVolume } from "../../store/network-volume/network-volume.ts";
import { knownMachines } from "../../store/replica/inventory.ts";
import { lockFreeDisk } from "../place/places.ts";

/** The volume as it is placed; null if it is deleted, a fault if this machine cannot have it. */
export function* placeVolumeHere(id: string, machine: string): Tx<NetworkVolume | Fault | null> {
  const volume = yield* lockVolume(id);
  if (!volume || volume.machine !== null) return volume ?? null;
  const place = (yield* knownMachines()).find((each) => each.machine === machine);
  const dataCenterId = place?.inventory.dataCenterId ?? null;
  if (!place || !volumeFor([volume], { home: machine, dataCenterId })) {
    const detail = `Volume ${id} is in ${volume.dataCenterId}, and this machine is not`;
    return new Fault("not_offered", { detail });
  }
  // A volume that does not fit is virtual, as for workers, and the disk's free space is the limit.
  const free = yield* lockFreeDisk({ machine, since: 0, except: null });
  yield* placeVolume(volume, machine, free !== null && free < volume.size);
  return (yield* findVolume(id)) ?? null;
}
