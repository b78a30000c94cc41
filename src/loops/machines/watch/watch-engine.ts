// Asks the container engine of this replica's machine whether it answers, and records why it does not. A remote machine
// is offline meanwhile; this one stays online, since its other drivers and the service go on. What the engine did not tell
// at the start, it is asked once it answers.

import type { Inventory } from "../../../domain/machine/inventory.ts";
import type { Store } from "../../../store/engine/store.ts";
import {
  recordEngineFacts,
  recordEngineTrouble,
} from "../../../transactions/machine/record-engine-trouble.ts";
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
  /** Reads what the inventory lacks, because the engine did not answer at the start; null if it lacks nothing. */
  readFacts: (() => Promise<Pick<Inventory, "system" | "quota">>) | null;
}

export function watchEngineLoop({ store, machine, inventory, problem, readFacts }: Deps): Loop {
  let readMissing = readFacts;
  const record = async (trouble: string | undefined) => {
    if (trouble === inventory.engineTrouble) return;
    await store.write(recordEngineTrouble, machine, trouble);
    if (trouble === undefined) delete inventory.engineTrouble;
    else inventory.engineTrouble = trouble;
  };
  return {
    name: "watch-engine",
    shared: false,
    periodMs: PERIOD_MS,
    restMs: PERIOD_MS,
    topics: [],
    async run() {
      const trouble = (await problem(ANSWER_MS))?.message;
      await record(trouble);
      if (trouble !== undefined || readMissing === null) return null;
      const facts = await readMissing();
      await store.write(recordEngineFacts, machine, facts);
      Object.assign(inventory, facts);
      readMissing = null;
      return null;
    },
  };
}
