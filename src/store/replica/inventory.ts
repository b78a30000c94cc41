// The machines that replicas entered, with what they offer and what the operator set for them.

import { type GpuCordons, withCordons, withQuarantines } from "../../domain/gpu/gpu-health.ts";
import type { GpuHealth } from "../../domain/gpu/health-record.ts";
import type { SharedGpus } from "../../domain/gpu-share/gpu-share.ts";
import { withShares } from "../../domain/gpu-share/with-shares.ts";
import type { Inventory, MachineModel } from "../../domain/machine/inventory.ts";
import type { Upkeep } from "../../domain/machine/upkeep.ts";
import { ALL_ACCOUNTS, topic } from "../engine/notifier.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

export interface StoredMachine {
  machine: string;
  drivers: string[];
  inventory: Inventory;
  seenAt: number;
  /** Its replica stopped. */
  stopped: boolean;
  /** When it was lost; null if it was not, or is back. */
  lostAt: number | null;
  upkeep: Upkeep;
  gpuHealth: GpuHealth;
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
  gpu_cordons: string;
  shared_gpus: string;
  gpu_health: string;
}

/** All machines, silent ones included. */
export function* knownMachines(): Tx<StoredMachine[]> {
  const found = yield* rows<Row>(
    `select machine, drivers, inventory, seen_at, stopped_at, lost_at, draining, maintenance_start,
       maintenance_end, maintenance_note, gpu_cordons, shared_gpus, gpu_health from replica order by machine`,
  );
  return found.map((each) => {
    const upkeep = upkeepOf(each);
    const gpuHealth = JSON.parse(each.gpu_health) as GpuHealth;
    return {
      machine: each.machine,
      drivers: each.drivers.split(",").filter((name) => name !== ""),
      inventory: offeredInventory(JSON.parse(each.inventory) as Inventory, upkeep, gpuHealth),
      seenAt: each.seen_at,
      stopped: each.stopped_at !== null,
      lostAt: each.lost_at,
      upkeep,
      gpuHealth,
    };
  });
}

/** What is stored of a machine with what the operator set for its GPUs, and what is recorded of their health. */
export function offeredInventory(
  stored: Inventory,
  { sharedGpus, gpuCordons }: Pick<Upkeep, "sharedGpus" | "gpuCordons">,
  health: GpuHealth,
): Inventory {
  return withCordons(withQuarantines(withShares(stored, sharedGpus), health), gpuCordons);
}

/** Replaces the models in a machine's inventory. */
export function* setModels(machine: string, models: readonly MachineModel[]): Tx<void> {
  yield* setInInventory(machine, { models: [...models] });
}

/** Sets how wrong the clock of a machine's engine is. */
export function* setClockSkew(machine: string, clockSkewMs: number): Tx<void> {
  yield* setInInventory(machine, { clockSkewMs });
}

export type GpuReading = Pick<Inventory, "gpus"> &
  Partial<
    Pick<
      Inventory,
      | "gpuDriver"
      | "cudaVersion"
      | "gpuTrouble"
      | "gpuFaults"
      | "gpuNotices"
      | "gpuSlices"
      | "gpuNumbers"
      | "gpuAddresses"
      | "gpuNodes"
      | "gpuLinks"
    >
  >;

/** Sets why a machine's kernel log cannot be read; undefined once it can. */
export function* setKernelLogTrouble(
  machine: string,
  kernelLogTrouble: string | undefined,
): Tx<void> {
  yield* setInInventory(machine, { kernelLogTrouble });
}

/** Sets why a machine's container engine does not answer; undefined once it does. */
export function* setEngineTrouble(machine: string, engineTrouble: string | undefined): Tx<void> {
  yield* setInInventory(machine, { engineTrouble });
}

/** Replaces what its container engine reports of itself in a machine's inventory. */
export function* setEngineFacts(
  machine: string,
  facts: Pick<Inventory, "system" | "quota">,
): Tx<void> {
  yield* setInInventory(machine, facts);
}

/** Replaces what was read of the GPUs in a machine's inventory. */
export function* setGpuReading(machine: string, reading: GpuReading): Tx<void> {
  yield* setInInventory(machine, reading);
}

function* setInInventory(machine: string, changed: Partial<Inventory>): Tx<void> {
  const before = yield* inventoryOn(machine);
  if (!before) return;
  const inventory = { ...before, ...changed };
  yield* change(
    "update replica set inventory = ? where machine = ?",
    JSON.stringify(inventory),
    machine,
  );
  yield* notify(topic.changed(ALL_ACCOUNTS, "machine", machine));
}

/** What was read of a machine, without what the operator set for its GPUs; undefined if no replica has entered it. */
export function* inventoryOn(machine: string): Tx<Inventory | undefined> {
  const found = yield* row<{ inventory: string }>(
    "select inventory from replica where machine = ? /*+ for update */",
    machine,
  );
  return found && (JSON.parse(found.inventory) as Inventory);
}

/** What a machine offered when it was last recorded; undefined if no replica has entered it. Takes no lock. */
export function* recordedInventory(machine: string): Tx<Inventory | undefined> {
  const found = yield* row<{ inventory: string; shared_gpus: string }>(
    "select inventory, shared_gpus from replica where machine = ?",
    machine,
  );
  if (!found) return undefined;
  const shared = JSON.parse(found.shared_gpus) as SharedGpus;
  return withShares(JSON.parse(found.inventory) as Inventory, shared);
}

/** What was last read of a machine, with all GPUs whole; undefined if no replica has entered it. Takes no lock. */
export function* readInventory(machine: string): Tx<Inventory | undefined> {
  const found = yield* row<{ inventory: string }>(
    "select inventory from replica where machine = ?",
    machine,
  );
  return found && (JSON.parse(found.inventory) as Inventory);
}

/** The models in a machine's cache; none if it has no cache. */
export function* modelsOn(machine: string): Tx<MachineModel[]> {
  return (yield* recordedInventory(machine))?.models ?? [];
}

export function upkeepOf(
  row: Pick<
    Row,
    | "draining"
    | "maintenance_start"
    | "maintenance_end"
    | "maintenance_note"
    | "gpu_cordons"
    | "shared_gpus"
  >,
): Upkeep {
  return {
    draining: row.draining === 1,
    maintenanceStart: row.maintenance_start,
    maintenanceEnd: row.maintenance_end,
    maintenanceNote: row.maintenance_note,
    gpuCordons: JSON.parse(row.gpu_cordons) as GpuCordons,
    sharedGpus: JSON.parse(row.shared_gpus) as SharedGpus,
  };
}
