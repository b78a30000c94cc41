// Reads an account's network volumes.

import { Fault } from "../../domain/fault.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import type { Store } from "../../store/engine/store.ts";
import { findVolume, listVolumes } from "../../store/network-volume/network-volume.ts";

export async function volumesOf(
  { store }: { store: Store },
  accountId: string,
): Promise<NetworkVolume[]> {
  return store.read(listVolumes, accountId);
}

export async function readVolume(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<NetworkVolume> {
  const volume = await store.read(findVolume, id);
  if (volume?.accountId !== accountId) throw new Fault("network_volume_not_found", { id });
  return volume;
}
