// The table `kept_log`: the output of a workload's earlier containers, in pieces. It is in the
// store, so that another replica that manages the machine finds it, and is deleted with the
// workload.

import type { LogPiece } from "../../domain/log/log-piece.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";

/**
 * Appends a piece, and deletes the oldest pieces that are not needed to keep `limit`. Does nothing
 * if the workload is deleted.
 */
export function* appendArchivedLog(
  id: string,
  { lines, chars, bytes }: LogPiece,
  limit: Omit<LogPiece, "bytes">,
): Tx<void> {
  const pod = yield* row("select 1 from pod where id = ? /*+ for update */", id);
  const workload = pod ?? (yield* row("select 1 from worker where id = ? /*+ for update */", id));
  if (!workload) return;
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
    limit.lines,
    limit.chars,
  );
}

/** A workload's pieces, the oldest first. */
export function* archivedLog(id: string): Tx<Uint8Array[]> {
  const found = yield* rows<{ bytes: Uint8Array }>(
    "select bytes from kept_log where workload = ? order by part",
    id,
  );
  return found.map(({ bytes }) => bytes);
}

export function* forgetArchivedLog(id: string): Tx<void> {
  yield* change("delete from kept_log where workload = ?", id);
}
