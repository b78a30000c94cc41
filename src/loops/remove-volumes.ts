// Removes the data of network volumes that were deleted, on the machine that has it. What a worker on
// its way out still has is left for a later turn.

import type { FastifyBaseLogger } from "fastify";
import { type Driver, DriverAway } from "../drivers/driver.ts";
import { droppedOn, endedWith, forgetVolume } from "../store/network-volume/dropped.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import type { Loop } from "./loop.ts";

export interface RemoveVolumesDeps {
  store: Store;
  log: FastifyBaseLogger;
  drivers: Driver[];
  machine: string;
}

export function removeVolumesLoop(deps: RemoveVolumesDeps): Loop {
  const { store, log, machine } = deps;
  return {
    name: "remove-volumes",
    shared: false,
    periodMs: 10_000,
    restMs: 200,
    topics: [topic.workloads],
    async turn() {
      for (const id of await store.read(droppedOn, machine)) {
        await remove(deps, id).catch((err) => {
          if (err instanceof DriverAway) throw err;
          log.info({ err, volume: id }, "a network volume cannot be removed yet");
        });
      }
      return null;
    },
  };
}

/** Ended workers, whose logs are kept for a while, must not keep data that somebody wants gone. */
async function remove({ store, drivers, machine }: RemoveVolumesDeps, id: string): Promise<void> {
  const ended = await store.read(endedWith, machine, id);
  for (const driver of drivers) {
    for (const worker of ended) await driver.remove(worker);
    await driver.removeVolume({ kind: "network", name: id });
  }
  await store.write(forgetVolume, id);
}
