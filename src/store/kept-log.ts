// What earlier containers of a workload printed, in pieces as whoever drives its engine makes them. It
// is kept here, so that another replica that attends the machine finds it, and goes with the workload.

import { change, row, rows, type Verb } from "./statement.ts";

export interface LogPiece {
  lines: number;
  /** Of their text. */
  chars: number;
  bytes: Uint8Array;
}

/**
 * Adds a piece behind the others, and lets go of the oldest ones without which there is as much as
 * `most`. Nothing is kept of a workload that is gone.
 */
export function* addKeptLog(
  id: string,
  { lines, chars, bytes }: LogPiece,
  most: Omit<LogPiece, "bytes">,
): Verb<void> {
  const pod = yield* row("select 1 from pod where id = ? /*+ for update */", id);
  const there = pod ?? (yield* row("select 1 from worker where id = ? /*+ for update */", id));
  if (!there) return;
  yield* change(
    `insert into kept_log (workload, part, lines, chars, bytes)
     values (?, (select coalesce(max(part), 0) + 1 from kept_log where workload = ?), ?, ?, ?)`,
    id,
    id,
    lines,
    chars,
    bytes,
  );
  yield* change(
    `delete from kept_log where workload = ? and part in (
       select part from (
         select part, sum(lines) over newer - lines as lines, sum(chars) over newer - chars as chars
         from kept_log where workload = ? window newer as (order by part desc)
       ) piece where lines >= ? or chars >= ?)`,
    id,
    id,
    most.lines,
    most.chars,
  );
}

/** The oldest first. */
export function* keptLog(id: string): Verb<Uint8Array[]> {
  const found = yield* rows<{ bytes: Uint8Array }>(
    "select bytes from kept_log where workload = ? order by part",
    id,
  );
  return found.map(({ bytes }) => bytes);
}

export function* forgetKeptLog(id: string): Verb<void> {
  yield* change("delete from kept_log where workload = ?", id);
}
