// The table `system_line`: what happened to a Pod or a worker, in words. A line commits with what
// it reports, can be read while the workload's machine is unreachable, and is deleted with the
// workload. The lines with an event are the Pod's list of events.

import type { LoggedEvent } from "../../domain/pod/pod-event.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

/** How many lines each workload keeps. */
const MAX_LINES = 500;

const MAX_LINE_LENGTH = 2_000;

export interface SystemLine {
  /** Rises with every line of the workload. */
  n: number;
  at: number;
  line: string;
}

/** Adds a line for a workload whose row this transaction has inserted or locked. */
export function* addSystemLine(
  id: string,
  at: number,
  line: string,
  event: LoggedEvent | null = null,
): Tx<void> {
  yield* change(
    `insert into system_line (workload, n, at, line, event, was, became, actor, key_id)
     select cast(? as text), coalesce(max(n), 0) + 1, cast(? as bigint), cast(? as text),
       cast(? as text), cast(? as text), cast(? as text), cast(? as text), cast(? as text)
     from system_line where workload = ?`,
    id,
    at,
    line.slice(0, MAX_LINE_LENGTH),
    event?.event ?? null,
    event?.from ?? null,
    event?.to ?? null,
    event?.actor ?? null,
    event?.keyId ?? null,
    id,
  );
  yield* change(
    `delete from system_line where workload = ?
       and n <= (select max(n) - ${MAX_LINES} from system_line where workload = ?)`,
    id,
    id,
  );
  yield* notify(topic.log(id));
}

/**
 * Adds a line for a workload that is not locked; does nothing if it is deleted. Workers have no
 * events.
 */
export function* addSystemLogLine(
  id: string,
  at: number,
  line: string,
  event: LoggedEvent | null = null,
): Tx<void> {
  const pod = yield* row<{ account_id: string }>(
    "select account_id from pod where id = ? /*+ for update */",
    id,
  );
  if (pod) {
    yield* addSystemLine(id, at, line, event);
    if (event) yield* notify(topic.changed(pod.account_id, "pod", id));
    return;
  }
  if (yield* row("select 1 from worker where id = ? /*+ for update */", id)) {
    yield* addSystemLine(id, at, line);
  }
}

export interface SystemLogQuery {
  /** How many of the newest lines, of at most 500. */
  tail: number;
  /** Only lines of this instant or later. */
  since: number;
  /** Only lines with a higher number. */
  after: number;
}

/** A workload's lines, the oldest first. */
export function* systemLines(id: string, { tail, since, after }: SystemLogQuery): Tx<SystemLine[]> {
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

export function* forgetSystemLines(id: string): Tx<void> {
  yield* change("delete from system_line where workload = ?", id);
  yield* notify(topic.log(id));
}
