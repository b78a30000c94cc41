// The Pods whose container runs although its end was requested.

import { rows, type Tx } from "../engine/statement.ts";

/** Those of which the end was requested before `since`; sandboxes are among them. */
export function* overduePods(since: number): Tx<{ id: string; machine: string }[]> {
  return yield* rows(
    `select id, machine from pod where observed = 'running'
       and (state <> 'RUNNING' or started_round < round) and changed_at < ? order by id`,
    since,
  );
}
