// Removes the containers of dead workers, and the folders and logs of workers and Pods that the store
// has forgotten.

import type { Clock } from "../../base/clock.ts";
import { containersToRemove, type DeadWorker } from "../../domain/worker/dead-containers.ts";
import type { Driver } from "../../drivers/driver.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { podIdsOn } from "../../store/pod/row.ts";
import { endedAmong, storedWorkers } from "../../store/worker/worker.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";

/** Bounds the length of a pass. */
const MAX_PER_PASS = 50;

export interface TidyDeps {
  store: Store;
  clock: Clock;
  drivers: Driver[];
  machine: string;
}

export function tidyLoop({ store, clock, drivers, machine }: TidyDeps): Loop {
  return {
    name: "tidy",
    shared: false,
    periodMs: 60_000,
    restMs: 1_000,
    // A crash loop replaces its worker again and again.
    topics: [topic.workloads],
    async run() {
      const each = new Each();
      for (const driver of drivers) await tidy({ store, clock, driver, machine }, each);
      return each.end(null);
    },
  };
}

interface TidyOne extends Omit<TidyDeps, "drivers"> {
  driver: Driver;
}

async function tidy({ store, clock, driver, machine }: TidyOne, each: Each): Promise<void> {
  const ended = (await driver.list()).filter(({ state }) => state === "ended");
  const ids = ended.map(({ id }) => id);
  const remembered = new Set([
    ...(await store.read(storedWorkers, ids)),
    ...(await store.read(podIdsOn, machine)),
  ]);
  const forgotten = ids.filter((id) => !remembered.has(id));
  for (const id of forgotten.slice(0, MAX_PER_PASS)) await each.try(() => driver.remove(id));
  // A process has no container; its folder is little more than its log.
  if (driver.name === "process") return;
  const dead = await store.read(deadWorkers, ids);
  const { wipe, remove } = containersToRemove(dead, clock.now());
  for (const id of wipe.slice(0, MAX_PER_PASS)) await each.try(() => driver.wipe(id));
  for (const id of remove.slice(0, MAX_PER_PASS)) await each.try(() => driver.remove(id));
}

function* deadWorkers(ids: string[]): Tx<DeadWorker[]> {
  const dead: DeadWorker[] = [];
  for (const worker of yield* endedAmong(ids)) {
    const isEndpointDeleted = (yield* findEndpoint(worker.endpointId)) === undefined;
    dead.push({ ...worker, isEndpointDeleted });
  }
  return dead;
}
