// Runs the loops of a cluster's nodes that have something to look after. Most nodes of a large cluster have no workload
// of ours, and loops of their own would cost memory and queries all the time.

import type { Clock } from "../../base/clock.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { machinesWithWork } from "../../store/replica/upkeep.ts";
import type { Loop } from "../engine/loop.ts";

export interface BusyNodesDeps {
  store: Store;
  clock: Clock;
  /** The nodes with containers, also such that the store has forgotten. */
  observed(): Promise<readonly string[]>;
  /** Runs the loops of a node if it is known; does nothing if they run. */
  run(machine: string): void;
  /** Ends the loops of a node, if they run. */
  rest(machine: string): Promise<void>;
}

/** For what its loops do after the last workload has ended. */
const LINGER_MS = 60_000;

export function runBusyNodesLoop(deps: BusyNodesDeps): Loop {
  const { store, clock } = deps;
  const lastBusy = new Map<string, number>();
  return {
    name: "busy-nodes",
    shared: false,
    periodMs: 1_000,
    restMs: 20,
    topics: [topic.workloads],
    async run() {
      const ticks = clock.ticks();
      for (const machine of await store.read(machinesWithWork)) lastBusy.set(machine, ticks);
      for (const machine of await deps.observed()) lastBusy.set(machine, ticks);
      for (const [machine, at] of lastBusy) {
        if (ticks - at <= LINGER_MS) deps.run(machine);
        else {
          lastBusy.delete(machine);
          await deps.rest(machine);
        }
      }
      return null;
    },
  };
}
