// The network volume that a Pod mounts: whether it may, and where that puts it.

import { Fault } from "../../domain/fault.ts";
import { type NetworkVolume, noSuchVolume } from "../../domain/network-volume/network-volume.ts";
import type { Placed } from "../../domain/placement/decide.ts";
import type { PodSpec } from "../../domain/pod/pod.ts";
import { findVolume, lockVolume, settleVolume } from "../../store/network-volume/network-volume.ts";
import type { Verb } from "../../store/statement.ts";

/** Of a new Pod; locked, so that of two who use it first one decides where its data will be. */
export function* volumeForNew(
  accountId: string,
  { networkVolumeId: id, dataCenterIds }: PodSpec,
): Verb<NetworkVolume | Fault | null> {
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

/** Of one that is there: it cannot be deleted as long as that is. */
export function* volumeOfPod({ networkVolumeId }: PodSpec): Verb<NetworkVolume | null> {
  return networkVolumeId === null ? null : ((yield* findVolume(networkVolumeId)) ?? null);
}

/** The machine of its first Pod or worker has its data from now on. */
export function* settleWith(volume: NetworkVolume | null, placed: Placed): Verb<void> {
  if (volume?.machine === null) yield* settleVolume(volume, placed.machine, placed.virtual);
}
