// What the operator sets for a machine: whether it drains, its maintenance window, and its cordoned and shared GPUs.

import type { Upkeep } from "../../domain/machine/upkeep.ts";
import { ALL_ACCOUNTS, topic } from "../engine/notifier.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";
import { upkeepOf } from "./inventory.ts";

/**
 * A machine's upkeep, locked until the transaction commits; undefined if the machine is not known.
 */
export function* lockUpkeep(machine: string): Tx<Upkeep | undefined> {
  const found = yield* row<Parameters<typeof upkeepOf>[0]>(
    `select draining, maintenance_start, maintenance_end, maintenance_note, gpu_cordons, shared_gpus
     from replica where machine = ? /*+ for update */`,
    machine,
  );
  return found && upkeepOf(found);
}

export function* setUpkeep(machine: string, upkeep: Upkeep): Tx<void> {
  yield* change(
    `update replica set draining = ?, maintenance_start = ?, maintenance_end = ?,
       maintenance_note = ?, gpu_cordons = ?, shared_gpus = ? where machine = ?`,
    Number(upkeep.draining),
    upkeep.maintenanceStart,
    upkeep.maintenanceEnd,
    upkeep.maintenanceNote,
    JSON.stringify(upkeep.gpuCordons),
    JSON.stringify(upkeep.sharedGpus),
    machine,
  );
  yield* notify(topic.fleet);
  yield* notify(topic.changed(ALL_ACCOUNTS, "machine", machine));
}

/** Machines with a Pod, a live worker or the data of a network volume. */
export function* machinesWithWork(): Tx<string[]> {
  const found = yield* rows<{ machine: string }>(
    `select machine from pod where machine is not null
     union select machine from worker where observed <> 'ended'
     union select machine from network_volume where machine is not null`,
  );
  return found.map(({ machine }) => machine);
}

/** Live workers on machines that take nothing new, by request or for maintenance. */
export function* workersToDrain(now: number): Tx<string[]> {
  const found = yield* rows<{ id: string }>(
    `select worker.id from worker join replica on replica.machine = worker.machine
     where worker.desired = 'run' and worker.observed <> 'ended' and (replica.draining = 1
       or (replica.maintenance_start <= ? and coalesce(replica.maintenance_end, ?) > ?))`,
    now,
    now + 1,
    now,
  );
  return found.map(({ id }) => id);
}

/** Live workers on one machine that do not end yet. */
export function* workersToDrainOn(machine: string): Tx<string[]> {
  const found = yield* rows<{ id: string }>(
    "select id from worker where machine = ? and desired = 'run' and observed <> 'ended'",
    machine,
  );
  return found.map(({ id }) => id);
}
