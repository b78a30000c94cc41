// What an operator wants of a machine, and what follows for the workers on it.

import type { Upkeep } from "../../domain/machine/upkeep.ts";
import { change, ring, row, rows, type Verb } from "../statement.ts";
import { EVERYBODY, topic } from "../wakes.ts";
import { wantEnd } from "../worker/worker.ts";
import { upkeepOf } from "./inventory.ts";

/** Its upkeep, which nobody else changes in this turn; undefined where it is not known. */
export function* lockUpkeep(machine: string): Verb<Upkeep | undefined> {
  const found = yield* row<Parameters<typeof upkeepOf>[0]>(
    `select draining, maintenance_start, maintenance_end, maintenance_note from replica
     where machine = ? /*+ for update */`,
    machine,
  );
  return found && upkeepOf(found);
}

export function* keepUpkeep(machine: string, upkeep: Upkeep): Verb<void> {
  yield* change(
    `update replica set draining = ?, maintenance_start = ?, maintenance_end = ?,
       maintenance_note = ? where machine = ?`,
    Number(upkeep.draining),
    upkeep.maintenanceStart,
    upkeep.maintenanceEnd,
    upkeep.maintenanceNote,
    machine,
  );
  yield* ring(topic.fleet);
  yield* ring(topic.changed(EVERYBODY, "machine", machine));
}

/** Workers on machines that take nothing new finish what they have, and end; returns how many. */
export function* drainWorkers(now: number): Verb<number> {
  const found = yield* rows<{ id: string }>(
    `select worker.id from worker join replica on replica.machine = worker.machine
     where worker.desired = 'run' and worker.observed <> 'ended' and (replica.draining = 1
       or (replica.maintenance_start <= ? and coalesce(replica.maintenance_end, ?) > ?))`,
    now,
    now + 1,
    now,
  );
  for (const { id } of found) yield* wantEnd(id, "drain", "its machine takes nothing new", now);
  return found.length;
}
