// What workers cost while they had a job.

import { heldParts, inMicros, type PricedTime } from "../../domain/money/held-cost.ts";
import type { AttemptRow } from "../job/find.ts";
import type { JobRow } from "../job/row.ts";
import { rows, type Verb } from "../statement.ts";

/** Micro-dollars, of the attempts that came to nothing too; of one that runs, up to now. */
export function* costOfJob(
  job: Pick<JobRow, "worker_id" | "taken_at" | "finished_at">,
  attempts: readonly AttemptRow[],
  now: number,
): Verb<number> {
  const held = attempts.map(({ worker_id: workerId, taken_at: from, ended_at: to }) => {
    return { workerId, from, to };
  });
  const { worker_id: workerId, taken_at: from, finished_at: to } = job;
  if (workerId !== null && from !== null) held.push({ workerId, from, to: to ?? now });
  let parts = 0n;
  for (const time of held) parts += heldParts(time, yield* pricedTimes(time.workerId));
  return inMicros(parts);
}

function* pricedTimes(resourceId: string): Verb<PricedTime[]> {
  return yield* rows<PricedTime>(
    `select rate, began_at as "beganAt", ended_at as "endedAt" from usage where resource_id = ?`,
    resourceId,
  );
}
