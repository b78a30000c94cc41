// Asks the container engine of this replica's machine whether it answers, and records why it does not. A remote machine
// is offline meanwhile; this one stays online, since its other drivers and the service go on.

import type { Inventory } from "../../../domain/machine/inventory.ts";
import type { Store } from "../../../store/engine/store.ts";
import { recordEngineTrouble } from "../../../transactions/machine/record-engine-trouble.ts";
import type { Loop } from "../../engine/loop.ts";

const PERIOD_MS = 5_000;
/** A busy engine answers within. */
const ANSWER_MS = 10_000;

interface Deps {
  store: Store;
  machine: string;
  /** What the machine offers, which other loops read. */
  inventory: Inventory;
  /** Why the engine does not answer in time; null if it does. */
  problem: (withinMs: number) => Promise<Error | null>;
}

export function watchEngineLoop({ store, machine, inventory, problem }: Deps): Loop {
  return {
    name: "watch-engine",
    shared: false,
    periodMs: PERIOD_MS,
    restMs: PERIOD_MS,
    topics: [],
    async run() {
      const trouble = (await problem(ANSWER_MS))?.message;
      if (trouble === inventory.engineTrouble) return null;
      await store.write(recordEngineTrouble, machine, trouble);
      if (trouble === undefined) delete inventory.engineTrouble;
      else inventory.engineTrouble = trouble;
      return null;
    },
  };
}
