// The machines that can take new workloads, and what each of them offers.

import type { GpuHealth } from "../../domain/gpu/health-record.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import type { Upkeep } from "../../domain/machine/upkeep.ts";
import { row, rows, type Tx } from "../engine/statement.ts";
import { offeredInventory, upkeepOf } from "./inventory.ts";

export interface MachineOffer {
  machine: string;
  drivers: string[];
  inventory: Inventory;
  upkeep: Upkeep;
}

/** Machines that reported since an instant and are not stopped; of all, or only the one that is named. */
export function* machineOffers(machine: string | null, since: number): Tx<MachineOffer[]> {
  const only = machine ?? "";
  const found = yield* rows<
    { machine: string; drivers: string; inventory: string; gpu_health: string } & Parameters<
      typeof upkeepOf
    >[0]
  >(
    `select machine, drivers, inventory, draining, maintenance_start, maintenance_end,
       maintenance_note, gpu_cordons, shared_gpus, gpu_health from replica where (? = '' or machine = ?)
       and seen_at > ? and stopped_at is null order by machine`,
    only,
    only,
    since,
  );
  return found.map(({ drivers, gpu_health, ...each }) => {
    const upkeep = upkeepOf(each);
    const health = JSON.parse(gpu_health) as GpuHealth;
    return {
      machine: each.machine,
      drivers: drivers.split(","),
      inventory: offeredInventory(JSON.parse(each.inventory) as Inventory, upkeep, health),
      upkeep,
    };
  });
}

/** Makes others that place something on this machine wait until the transaction ends. */
export function* lockMachine(machine: string): Tx<void> {
  yield* row("select 1 from replica where machine = ? /*+ for update */", machine);
}
