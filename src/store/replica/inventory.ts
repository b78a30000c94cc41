// The machines that replicas entered, with what they offer and what the operator set for them.

import type { Inventory } from "../../domain/machine/inventory.ts";
import type { Upkeep } from "../../domain/machine/upkeep.ts";
import { rows, type Tx } from "../engine/statement.ts";

export interface KnownMachine {
  machine: string;
  drivers: string[];
  inventory: Inventory;
  seenAt: number;
  /** Its replica stopped. */
  stopped: boolean;
  /** When it was lost; null if it was not, or is back. */
  lostAt: number | null;
  upkeep: Upkeep;
}

interface Row {
  machine: string;
  drivers: string;
  inventory: string;
  seen_at: number;
  stopped_at: number | null;
  lost_at: number | null;
  draining: number;
  maintenance_start: number | null;
  maintenance_end: number | null;
  maintenance_note: string | null;
}

/** All machines, silent ones included. */
export function* knownMachines(): Tx<KnownMachine[]> {
  const found = yield* rows<Row>(
    `select machine, drivers, inventory, seen_at, stopped_at, lost_at, draining, maintenance_start,
       maintenance_end, maintenance_note from replica order by machine`,
  );
  return found.map((each) => ({
    machine: each.machine,
    drivers: each.drivers.split(",").filter((name) => name !== ""),
    inventory: JSON.parse(each.inventory) as Inventory,
    seenAt: each.seen_at,
    stopped: each.stopped_at !== null,
    lostAt: each.lost_at,
    upkeep: upkeepOf(each),
  }));
}

export function upkeepOf(
  row: Pick<Row, "draining" | "maintenance_start" | "maintenance_end" | "maintenance_note">,
): Upkeep {
  return {
    draining: row.draining === 1,
    maintenanceStart: row.maintenance_start,
    maintenanceEnd: row.maintenance_end,
    maintenanceNote: row.maintenance_note,
  };
}
