// Removes the data of deleted network volumes from a machine or a cluster. A volume that an ending worker still mounts is
// left for a later pass.

import type { Logger } from "../../base/log.ts";
import { type Driver, DriverUnavailable } from "../../drivers/driver.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { deletedVolumesOn } from "../../store/network-volume/network-volume.ts";
import { endedWorkersMounting } from "../../store/worker/resources.ts";
import { purgeVolumeRows } from "../../transactions/network-volume/purge.ts";
import type { Loop } from "../engine/loop.ts";

export interface RemoveVolumesDeps {
  store: Store;
  log: Logger;
  drivers: Pick<Driver, "removeVolume">[];
  /** Where the volumes are. */
  machine: string;
  /** The machines whose workers mount them. */
  users: () => readonly VolumeUser[];
}

interface VolumeUser {
  machine: string;
  drivers: readonly Pick<Driver, "remove">[];
}

export function removeVolumesLoop(deps: RemoveVolumesDeps): Loop {
  const { store, log, machine } = deps;
  return {
    name: "remove-volumes",
    shared: false,
    periodMs: 10_000,
    restMs: 200,
    topics: [topic.workloads],
    async run() {
      for (const id of await store.read(deletedVolumesOn, machine)) {
        await remove(deps, id).catch((err) => {
          if (err instanceof DriverUnavailable) throw err;
          log.info({ err, volume: id }, "cannot remove a network volume yet");
        });
      }
      return null;
    },
  };
}

/** Ended workers, which stay for their logs, must not keep the data of a deleted volume. */
async function remove({ store, drivers, users }: RemoveVolumesDeps, id: string): Promise<void> {
  for (const user of users()) {
    const ended = await store.read(endedWorkersMounting, user.machine, id);
    for (const driver of user.drivers) for (const worker of ended) await driver.remove(worker);
  }
  for (const driver of drivers) await driver.removeVolume({ kind: "network", name: id });
  await store.write(purgeVolumeRows, id);
}
