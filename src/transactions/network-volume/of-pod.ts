// The network volume that a Pod mounts: checks that it can, and puts the volume on the Pod's
// machine.

import { Fault } from "../../domain/fault.ts";
import { volumeHomeOf } from "../../domain/machine/volume-home.ts";
import { type NetworkVolume, noSuchVolume } from "../../domain/network-volume/network-volume.ts";
import type { Placed } from "../../domain/placement/decide.ts";
import type { PodSpec } from "../../domain/pod/spec.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findVolume, lockVolume, placeVolume } from "../../store/network-volume/network-volume.ts";
import { machineOffers } from "../../store/replica/offers.ts";

/**
 * The volume of a new Pod. It is locked, so that if two Pods use it first, one decides where its
 * data will be.
 */
export function* lockVolumeForPod(
  accountId: string,
  { networkVolumeId: id, dataCenterIds }: PodSpec,
): Tx<NetworkVolume | Fault | null> {
  if (id === null) return null;
  const volume = yield* lockVolume(id);
  if (volume?.accountId !== accountId) {
    return new Fault("invalid_body", { detail: noSuchVolume("networkVolumeId", id) });
  }
  const { dataCenterId } = volume;
  if (dataCenterIds.length === 0 || dataCenterIds.includes(dataCenterId)) return volume;
  const detail = `"dataCenterIds" must have ${dataCenterId}, where network volume ${id} is, or be left out.`;
  return new Fault("invalid_body", { detail });
}

/** The volume of an existing Pod. It cannot be deleted as long as the Pod exists. */
export function* findVolumeOfPod({ networkVolumeId }: PodSpec): Tx<NetworkVolume | null> {
  return networkVolumeId === null ? null : ((yield* findVolume(networkVolumeId)) ?? null);
}

/** Puts a volume on the machine of the first Pod that mounts it, or on the machine's cluster. */
export function* placePodVolume(volume: NetworkVolume | null, placed: Placed): Tx<void> {
  if (volume?.machine !== null) return;
  const [offer] = yield* machineOffers(placed.machine, 0);
  const home = (offer && volumeHomeOf(offer)) ?? placed.machine;
  yield* placeVolume(volume, home, placed.virtual && home === placed.machine);
}
