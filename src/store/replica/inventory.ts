// What machines offer, as their replicas said when they entered.

import type { Inventory } from "../../domain/machine/inventory.ts";
import { rows, type Verb } from "../statement.ts";

export interface KnownMachine {
  machine: string;
  drivers: string[];
  inventory: Inventory;
  seenAt: number;
  /** Its replica said that it goes. */
  stopped: boolean;
}

/** All that are not forgotten, also those that nothing was heard of for a while. */
export function* knownMachines(): Verb<KnownMachine[]> {
  const found = yield* rows<{
    machine: string;
    drivers: string;
    inventory: string;
    seen_at: number;
    stopped_at: number | null;
  }>("select machine, drivers, inventory, seen_at, stopped_at from replica order by machine");
  return found.map(({ machine, drivers, inventory, seen_at, stopped_at }) => ({
    machine,
    drivers: drivers.split(",").filter((name) => name !== ""),
    inventory: JSON.parse(inventory) as Inventory,
    seenAt: seen_at,
    stopped: stopped_at !== null,
  }));
}
