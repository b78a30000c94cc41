// The cost of the workers that held a job.

import { allAttempts } from "../../domain/job/attempts.ts";
import type { Job, JobAttempt } from "../../domain/job/job.ts";
import { heldParts, inMicros } from "../../domain/money/held-cost.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { ratesOf } from "../../store/usage/usage.ts";

/** Micro-dollars, with failed attempts, and a running attempt up to now. */
export function* costOfJob(job: Job, stored: readonly JobAttempt[], now: number): Tx<number> {
  let parts = 0n;
  for (const { workerId, takenAt, endedAt } of allAttempts(job, stored)) {
    parts += heldParts({ from: takenAt, to: endedAt ?? now }, yield* ratesOf(workerId));
  }
  return inMicros(parts);
}
