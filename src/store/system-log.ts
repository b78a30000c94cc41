// What happened to a Pod or a worker, in words. It is kept here, not on the machine that runs the
// workload: so a line is written with the commit of what it tells, can be read while that machine is
// away, and goes with the workload. Lines that tell of a Pod's events are its list of events too.

import type { Happening } from "../domain/pod/happening.ts";
import { change, ring, row, rows, type Verb } from "./statement.ts";
import { topic } from "./wakes.ts";

/** Lines kept of each workload; older ones go. */
const MOST_LINES = 500;

const LONGEST_LINE = 2_000;

export interface SystemLine {
  /** Its number; no other line of this workload has it. */
  n: number;
  at: number;
  line: string;
}

/** Adds a line for a workload whose row was inserted or locked in this turn. */
export function* addSystemLine(
  id: string,
  at: number,
  line: string,
  happening: Happening | null = null,
): Verb<void> {
  yield* change(
    `insert into system_line (workload, n, at, line, event, was, became, actor, key_id)
     select cast(? as text), coalesce(max(n), 0) + 1, cast(? as bigint), cast(? as text),
       cast(? as text), cast(? as text), cast(? as text), cast(? as text), cast(? as text)
     from system_line where workload = ?`,
    id,
    at,
    line.slice(0, LONGEST_LINE),
    happening?.event ?? null,
    happening?.was ?? null,
    happening?.became ?? null,
    happening?.actor ?? null,
    happening?.keyId ?? null,
    id,
  );
  yield* change(
    `delete from system_line where workload = ?
       and n <= (select max(n) - ${MOST_LINES} from system_line where workload = ?)`,
    id,
    id,
  );
  yield* ring(topic.log(id));
}

/** The same for one that is not locked; nothing is kept of one that is gone. Workers have no events. */
export function* tellSystem(
  id: string,
  at: number,
  line: string,
  happening: Happening | null = null,
): Verb<void> {
  const pod = yield* row<{ account_id: string }>(
    "select account_id from pod where id = ? /*+ for update */",
    id,
  );
  if (pod) {
    yield* addSystemLine(id, at, line, happening);
    if (happening) yield* ring(topic.changed(pod.account_id, "pod", id));
    return;
  }
  if (yield* row("select 1 from worker where id = ? /*+ for update */", id)) {
    yield* addSystemLine(id, at, line);
  }
}

export interface SystemPart {
  /** The newest so many; at most 500 are there. */
  tail: number;
  /** Of this instant or later. */
  since: number;
  /** Only lines with a higher number. */
  after: number;
}

/** The oldest first. */
export function* systemLines(id: string, { tail, since, after }: SystemPart): Verb<SystemLine[]> {
  const found = yield* rows<SystemLine>(
    `select n, at, line from system_line where workload = ? and n > ? and at >= ?
     order by n desc limit ?`,
    id,
    after,
    since,
    tail,
  );
  return found.reverse();
}

export function* forgetSystemLines(id: string): Verb<void> {
  yield* change("delete from system_line where workload = ?", id);
  yield* ring(topic.log(id));
}
