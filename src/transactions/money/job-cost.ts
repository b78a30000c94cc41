// The cost of the workers that held a job.

import { allAttempts } from "../../domain/job/attempts.ts";
import type { Job, JobAttempt } from "../../domain/job/job.ts";
import { heldParts, inMicros } from "../../domain/money/held-cost.ts";
import { type Tx, together } from "../../store/engine/statement.ts";
import { attemptsOf } from "../../store/job/attempt.ts";
import { ratesOf } from "../../store/usage/usage.ts";

/** Micro-dollars, with failed attempts, and a running attempt up to now. */
export function* costOfJob(job: Job, stored: readonly JobAttempt[], now: number): Tx<number> {
  let parts = 0n;
  for (const { workerId, takenAt, endedAt } of allAttempts(job, stored)) {
    parts += heldParts({ from: takenAt, to: endedAt ?? now }, yield* ratesOf(workerId));
  }
  return inMicros(parts);
}

/** The costs of the jobs of a list, in order. */
export function* costsOfJobs(jobs: readonly Job[], now: number): Tx<number[]> {
  const workers = [...new Set(jobs.flatMap(({ workerId }) => workerId ?? []))];
  const found = yield* together(workers.map(ratesOf));
  const rates = new Map(workers.map((id, n) => [id, found[n]!]));
  return yield* together(jobs.map((job) => costWithRates(job, rates, now)));
}

function* costWithRates(
  job: Job,
  rates: ReadonlyMap<string, Parameters<typeof heldParts>[1]>,
  now: number,
): Tx<number> {
  if (job.attempts > 1) return yield* costOfJob(job, yield* attemptsOf(job.seq), now);
  const [parts] = allAttempts(job, []).map(({ workerId, takenAt, endedAt }) =>
    heldParts({ from: takenAt, to: endedAt ?? now }, rates.get(workerId)!),
  );
  return inMicros(parts ?? 0n);
}
