// The workers that run although they were signalled to end.

import { rows, type Tx } from "../engine/statement.ts";

/** Workers that were signalled before `since` and still run. */
export function* overdueWorkers(since: number): Tx<{ id: string; machine: string }[]> {
  return yield* rows(
    `select id, machine from worker where observed <> 'ended' and signalled_at < ? order by id`,
    since,
  );
}
