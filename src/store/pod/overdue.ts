// The Pods whose container runs although its end was requested, as far as their machines can report it.

import { rows, type Tx } from "../engine/statement.ts";
import { END_UNSEEN, POD_AND_REPLICA } from "./unseen-end.ts";

/** Pods, sandboxes included, of which the end was requested before `since`. */
export function* overduePods(since: number): Tx<{ id: string; machine: string }[]> {
  return yield* rows(
    `select pod.id, pod.machine from ${POD_AND_REPLICA} where observed = 'running'
       and (state <> 'RUNNING' or started_round < round) and changed_at < ? and not (${END_UNSEEN}) order by pod.id`,
    since,
  );
}
