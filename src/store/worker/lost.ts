// The workers of a machine that is given up.

import { change, rows, type Tx } from "../engine/statement.ts";

/** Which workers are lost: all that have not ended, or only those that were never started. */
export type Lost = "all" | "not_started";

export function* workersLostOn(machine: string, lost: Lost): Tx<string[]> {
  const found = yield* rows<{ id: string }>(
    `select id from worker where machine = ? and observed <> 'ended'
       ${lost === "all" ? "" : "and observed = 'new'"}`,
    machine,
  );
  return found.map(({ id }) => id);
}

export function* setWorkerReason(id: string, reason: string): Tx<void> {
  yield* change("update worker set desired_reason = ? where id = ?", reason, id);
}
