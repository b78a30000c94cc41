// Replicas: servers on one database. Each has a machine of its own, says with every beat that it is
// there, and is taken for gone when it has been silent for a while. A machine at an address of its own
// has a row as well, for which whoever attends it says so.

import type { Inventory } from "../../domain/machine/inventory.ts";
import { tellMachineBack, tellMachineLost } from "../pod/seen.ts";
import { change, needsNoSync, ring, row, rows, type Verb } from "../statement.ts";
import { EVERYBODY, topic } from "../wakes.ts";
import { dropDuties, hasDuty, renewDuties } from "./duty.ts";
import { lockRemote } from "./remote-machine.ts";

export interface Replica {
  id: string;
  machine: string;
  drivers: string[];
  /** Where other replicas reach it: http://10.0.0.5:8700 */
  address: string;
  /** What its machine offers. */
  inventory: Inventory;
}

/** A machine that a live replica looks after. */
export interface Machine extends Omit<Replica, "id" | "inventory"> {
  /** How many workers on it have not ended. */
  workers: number;
}

/**
 * Enters a replica. Whoever had this machine before is gone, for its data folder admits one process;
 * its duties are free.
 */
export function* enterReplica(replica: Replica, now: number): Verb<void> {
  const before = yield* row<{ id: string; lost_at: number | null }>(
    "select id, lost_at from replica where machine = ?",
    replica.machine,
  );
  if (before) yield* dropDuties(before.id);
  if (before && before.lost_at !== null) yield* tellMachineBack(replica.machine, now);
  yield* change(
    `insert into replica (id, machine, drivers, address, inventory, started_at, seen_at)
     values (?, ?, ?, ?, ?, ?, ?)
     on conflict (machine) do update set id = excluded.id, drivers = excluded.drivers,
       address = excluded.address, inventory = excluded.inventory, started_at = excluded.started_at, seen_at = excluded.seen_at,
       stopped_at = null, lost_at = null`,
    replica.id,
    replica.machine,
    replica.drivers.join(),
    replica.address,
    JSON.stringify(replica.inventory),
    now,
    now,
  );
  yield* ring(topic.changed(EVERYBODY, "machine", replica.machine));
}

/** A beat: the replica is there, and keeps its duties for another lease; returns their names. */
export function* beat(replica: Replica, now: number, leaseMs: number): Verb<string[]> {
  const known = yield* change(
    "update replica set seen_at = ? where id = ? and lost_at is null",
    now,
    replica.id,
  );
  if (known === 0) yield* enterReplica(replica, now);
  else yield* needsNoSync();
  return yield* renewDuties(replica.id, now + leaseMs);
}

/**
 * A beat for a machine that a replica attends under a duty: `seat` is its row there, entered anew where
 * another one attended it before. False where the duty is another's by now.
 */
export function* beatAttended(
  seat: Replica,
  duty: string,
  replicaId: string,
  now: number,
): Verb<boolean> {
  if (!(yield* hasDuty(duty, replicaId))) return false;
  const known = yield* change(
    "update replica set seen_at = ?, inventory = ? where id = ? and lost_at is null",
    now,
    JSON.stringify(seat.inventory),
    seat.id,
  );
  if (known > 0) yield* needsNoSync();
  else if (yield* lockRemote(seat.machine)) yield* enterReplica(seat, now);
  else return false;
  return true;
}

/** A replica goes: its duties are free, and nothing more is placed on its machine. */
export function* leaveReplica(id: string, now: number): Verb<void> {
  yield* dropDuties(id);
  yield* change("update replica set stopped_at = ? where id = ?", now, id);
}

/** The machines whose replica was heard of since an instant. */
export function* liveMachines(since: number): Verb<Machine[]> {
  const found = yield* rows<{ machine: string; drivers: string; address: string; n: number }>(
    `select machine, drivers, address, (select count(*) from worker
       where worker.machine = replica.machine and worker.observed <> 'ended') as n
     from replica where seen_at > ? and stopped_at is null order by machine`,
    since,
  );
  return found.map(({ machine, drivers, address, n }) => {
    const names = drivers.split(",").filter((name) => name !== "");
    return { machine, drivers: names, address, workers: n };
  });
}

/** Machines that workers live on, each with when its replica was last heard of, if it ever was. */
export function* machinesInUse(): Verb<{ machine: string; seenAt: number | null }[]> {
  const found = yield* rows<{ machine: string; seen_at: number | null }>(
    `select distinct worker.machine, replica.seen_at from worker
     left join replica on replica.machine = worker.machine where worker.observed <> 'ended'`,
  );
  return found.map(({ machine, seen_at }) => ({ machine, seenAt: seen_at }));
}

/** Those that were last heard of before an instant are lost, and shown so, until they are heard of. */
export function* markLost(heard: number, now: number): Verb<void> {
  const lost = yield* rows<{ machine: string }>(
    `update replica set lost_at = ? where seen_at <= ? and stopped_at is null and lost_at is null
     returning machine`,
    now,
    heard,
  );
  for (const { machine } of lost) yield* tellMachineLost(machine, now);
}

/** Forgets replicas that were last heard of before an instant and have no workers and no Pods left. */
export function* forgetReplicas(before: number): Verb<void> {
  yield* change(
    `delete from replica where seen_at < ? and not exists (select 1 from worker
       where worker.machine = replica.machine and worker.observed <> 'ended')
       and not exists (select 1 from pod where pod.machine = replica.machine)`,
    before,
  );
}
