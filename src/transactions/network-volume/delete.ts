// Deletes a network volume for clients; its machine removes the data.

import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { markDeleted, notifyVolume } from "../../store/network-volume/network-volume.ts";
import { endVolumeMeter } from "./meter.ts";
import { purgeVolumeRows } from "./purge.ts";

/** The volume must be locked. */
export function* deleteVolume(volume: NetworkVolume, now: number): Tx<void> {
  yield* markDeleted(volume, now);
  // A volume that was never used has no data to remove.
  if (volume.machine === null) yield* purgeVolumeRows(volume.id);
  yield* endVolumeMeter(volume.id, now);
  yield* notify(topic.workloads);
  yield* notifyVolume(volume);
}
