// A client renames, labels or grows a network volume.

import type { Clock } from "../../base/clock.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { Store } from "../../store/engine/store.ts";
import { saveVolume, type VolumeChanges } from "../../transactions/network-volume/write.ts";
import { throwRefusal } from "../throw-refusal.ts";

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
  return throwRefusal(
    deps.store.write(saveVolume, deps, { accountId, id, changes }, deps.clock.now()),
  );
}
