// The table `replica`: a row for every machine that a replica manages, its own or a remote one.
// `seen_at` is its last heartbeat.

import { DAY_MS } from "../../base/units.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import { ALL_ACCOUNTS, topic } from "../engine/notifier.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

export interface Replica {
  id: string;
  machine: string;
  drivers: string[];
  /** Where other replicas reach it: http://10.0.0.5:8700 */
  address: string;
  /** What its machine offers. */
  inventory: Inventory;
}

/** Rows that a statement updates; bounds its parameters. */
const AT_ONCE = 250;

/** A machine that a live replica manages. */
export interface Machine extends Omit<Replica, "id" | "inventory"> {
  /** How many workers on it have not ended. */
  workers: number;
}

/** What a machine's row says of the replica that has the machine. */
interface MachineHolder {
  id: string;
  address: string;
  seenAt: number;
  stoppedAt: number | null;
  lostAt: number | null;
}

export function* replicaOn(machine: string): Tx<MachineHolder | undefined> {
  return yield* row(
    `select id, address, seen_at as "seenAt", stopped_at as "stoppedAt", lost_at as "lostAt"
     from replica where machine = ?`,
    machine,
  );
}

/**
 * Writes a machine's row, in place of an earlier replica's; what the operator set for the machine
 * stays.
 */
export function* upsertReplica(replica: Replica, now: number): Tx<void> {
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
  yield* notify(topic.changed(ALL_ACCOUNTS, "machine", replica.machine));
}

/** Records a heartbeat; false if the replica is not known or its machine was lost. */
export function* setSeenAt(id: string, now: number): Tx<boolean> {
  const changed = yield* change(
    "update replica set seen_at = ? where id = ? and lost_at is null",
    now,
    id,
  );
  return changed > 0;
}

/** Records a heartbeat and the inventory, which a remote machine may change. */
export function* setSeenWith(
  { id, inventory }: Pick<Replica, "id" | "inventory">,
  now: number,
): Tx<boolean> {
  const changed = yield* change(
    "update replica set seen_at = ?, inventory = ? where id = ? and lost_at is null",
    now,
    JSON.stringify(inventory),
    id,
  );
  return changed > 0;
}

/** A clock is set back by less. A heartbeat further ahead is meant so: the machine is never silent. */
const MAX_SET_BACK_MS = 30 * DAY_MS;

/**
 * Heartbeats after `latest` were sent before the clock was set back. They count as sent now: a machine that sends none
 * by the new time is silent from now on, and not only once the clock is again where it was.
 */
export function* correctFutureHeartbeats(latest: number, now: number): Tx<void> {
  yield* change(
    "update replica set seen_at = ? where seen_at > ? and seen_at < ?",
    now,
    latest,
    now + MAX_SET_BACK_MS,
  );
}

/** Records the heartbeats of many replicas; returns those that are known and whose machines are not lost. */
export function* setManySeenAt(ids: readonly string[], now: number): Tx<string[]> {
  const known: string[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const found = yield* rows<{ id: string }>(
      `update replica set seen_at = ? where lost_at is null
         and id in (${some.map(() => "?").join(", ")}) returning id`,
      now,
      ...some,
    );
    for (const { id } of found) known.push(id);
  }
  return known;
}

export function* setStoppedAt(id: string, now: number): Tx<void> {
  yield* change("update replica set stopped_at = ? where id = ?", now, id);
}

export function* wasSeenSince(machine: string, since: number): Tx<boolean> {
  const found = yield* row(
    "select 1 from replica where machine = ? and seen_at > ?",
    machine,
    since,
  );
  return found !== undefined;
}

/** The machines with a heartbeat since an instant, unless their replica has stopped. */
export function* liveMachines(since: number): Tx<Machine[]> {
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

/** Machines with live workers, each with its last heartbeat; null if it has no row. */
export function* machinesInUse(): Tx<{ machine: string; seenAt: number | null }[]> {
  const found = yield* rows<{ machine: string; seen_at: number | null }>(
    `select distinct worker.machine, replica.seen_at from worker
     left join replica on replica.machine = worker.machine where worker.observed <> 'ended'`,
  );
  return found.map(({ machine, seen_at }) => ({ machine, seenAt: seen_at }));
}

/**
 * Marks machines whose last heartbeat is not after an instant as lost; returns those that were not
 * before.
 */
export function* setLost(seenUpTo: number, now: number): Tx<string[]> {
  const lost = yield* rows<{ machine: string }>(
    `update replica set lost_at = ? where seen_at <= ? and stopped_at is null and lost_at is null
     returning machine`,
    now,
    seenUpTo,
  );
  return lost.map(({ machine }) => machine);
}

/**
 * Deletes replicas with no heartbeat since an instant, no workers or Pods left, and nothing that the operator set for
 * the machine: it must hold when the machine returns. A maintenance that ended by the instant holds no longer.
 */
export function* forgetReplicas(before: number): Tx<void> {
  yield* change(
    `delete from replica where seen_at < ? and not exists (select 1 from worker
       where worker.machine = replica.machine and worker.observed <> 'ended')
       and not exists (select 1 from pod where pod.machine = replica.machine)
       and draining = 0 and gpu_cordons = '{}' and shared_gpus = '{}' and gpu_health not like '%"quarantines":{"%'
       and (maintenance_start is null or maintenance_end < ?)`,
    before,
    before,
  );
}

export function* deleteReplicaOn(machine: string): Tx<void> {
  yield* change("delete from replica where machine = ?", machine);
}
