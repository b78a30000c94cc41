// A leadership is work that one replica does for all: a row of the table `leadership` with a
// holder and a deadline. The holder extends the deadline with every heartbeat; once it has passed,
// any replica may take over.

import { topic } from "../engine/notifier.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

/**
 * Acquires a leadership that is free or this replica's; returns its deadline, and whether this
 * replica holds it. A deadline beyond two leases was written before the clock was set back, and holds nothing.
 */
export function* acquireLeadership(
  name: string,
  replicaId: string,
  now: number,
  leaseMs: number,
): Tx<{ mine: boolean; until: number }> {
  const current = yield* row<{ holder: string; until: number }>(
    "select holder, until from leadership where name = ?",
    name,
  );
  const latest = now + 2 * leaseMs;
  const isHeld = current && current.until > now && current.until <= latest;
  if (isHeld && current.holder !== replicaId) {
    return { mine: false, until: current.until };
  }
  const until = now + leaseMs;
  const changes = yield* change(
    `insert into leadership (name, holder, until) values (?, ?, ?)
     on conflict (name) do update set holder = excluded.holder, until = excluded.until
     where leadership.holder = excluded.holder or leadership.until <= ? or leadership.until > ?`,
    name,
    replicaId,
    until,
    now,
    latest,
  );
  return { mine: changes > 0, until };
}

/**
 * Whether the replica still holds the leadership. No replica takes it over before the transaction
 * commits, so what the transaction writes was decided by the holder.
 */
export function* holdsLeadership(name: string, replicaId: string): Tx<boolean> {
  const found = yield* row(
    "select 1 from leadership where name = ? and holder = ? /*+ for share */",
    name,
    replicaId,
  );
  return found !== undefined;
}

/** Extends all leaderships of a replica; returns their names. */
export function* renewLeaderships(replicaId: string, until: number): Tx<string[]> {
  const renewed = yield* rows<{ name: string }>(
    "update leadership set until = ? where holder = ? returning name",
    until,
    replicaId,
  );
  return renewed.map(({ name }) => name);
}

/** Deletes all leaderships. Only for a store that no other process can have open. */
export function* releaseLeaderships(): Tx<void> {
  yield* change("delete from leadership");
}

/** Gives up a replica's leaderships and wakes the replicas that may acquire them. */
export function* dropLeaderships(replicaId: string): Tx<void> {
  yield* change("delete from leadership where holder = ?", replicaId);
  yield* notify(topic.leaderships);
}
