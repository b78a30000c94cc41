// Clears a machine of what is left of workers and Pods that nobody remembers: their folders and logs.

import type { Driver } from "../drivers/driver.ts";
import { podIdsOn } from "../store/pod/row.ts";
import type { Store } from "../store/store.ts";
import { rememberedOf } from "../store/worker/worker.ts";
import type { Loop } from "./loop.ts";

/** So few at a time that nobody waits for it. */
const MOST_A_TURN = 50;

export interface TidyDeps {
  store: Store;
  drivers: Driver[];
  machine: string;
}

export function tidyLoop({ store, drivers, machine }: TidyDeps): Loop {
  return {
    name: "tidy",
    shared: false,
    periodMs: 60_000,
    restMs: 1_000,
    topics: [],
    async turn() {
      for (const driver of drivers) await tidy(store, driver, machine);
      return null;
    },
  };
}

async function tidy(store: Store, driver: Driver, machine: string): Promise<void> {
  const ended = (await driver.list()).filter(({ state }) => state === "ended");
  const ids = ended.map(({ id }) => id);
  const remembered = new Set([
    ...(await store.read(rememberedOf, ids)),
    ...(await store.read(podIdsOn, machine)),
  ]);
  const forgotten = ids.filter((id) => !remembered.has(id));
  for (const id of forgotten.slice(0, MOST_A_TURN)) await driver.remove(id);
}
