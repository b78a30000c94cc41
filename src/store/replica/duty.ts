// Duties: work that one replica does for all. A duty is a holder and a deadline; whoever finds the
// deadline past may take it, and the holder moves it on with every beat.

import { change, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

/** Takes a duty that is free or one's own; says until when it is held, and whether by this replica. */
export function* takeDuty(
  name: string,
  replicaId: string,
  now: number,
  leaseMs: number,
): Verb<{ mine: boolean; until: number }> {
  const held = yield* row<{ holder: string; until: number }>(
    "select holder, until from duty where name = ?",
    name,
  );
  if (held && held.holder !== replicaId && held.until > now) {
    return { mine: false, until: held.until };
  }
  const until = now + leaseMs;
  const taken = yield* change(
    `insert into duty (name, holder, until) values (?, ?, ?)
     on conflict (name) do update set holder = excluded.holder, until = excluded.until
     where duty.holder = excluded.holder or duty.until <= ?`,
    name,
    replicaId,
    until,
    now,
  );
  return { mine: taken > 0, until };
}

/**
 * Whether the replica still has the duty. Nobody takes it over before the surrounding turn is
 * committed, so what is written with it was decided by the one whose duty it was.
 */
export function* hasDuty(name: string, replicaId: string): Verb<boolean> {
  const found = yield* row(
    "select 1 from duty where name = ? and holder = ? /*+ for share */",
    name,
    replicaId,
  );
  return found !== undefined;
}

/** Moves the deadline of all that a replica holds; returns their names. */
export function* renewDuties(replicaId: string, until: number): Verb<string[]> {
  const held = yield* rows<{ name: string }>(
    "update duty set until = ? where holder = ? returning name",
    until,
    replicaId,
  );
  return held.map(({ name }) => name);
}

/** Frees all duties: only for a store that no other process can have open. */
export function* freeDuties(): Verb<void> {
  yield* change("delete from duty");
}

/** Lets go of all that a replica holds, and wakes those who may take it. */
export function* dropDuties(replicaId: string): Verb<void> {
  yield* change("delete from duty where holder = ?", replicaId);
  yield* ring(topic.duties);
}
