// Leases of running jobs: renewed by pings that list them, judged by the expire loop.

import { change, row, rows, sideBySide, type Verb } from "../statement.ts";
import { JOB_COLUMNS, type JobRow, QUALIFIED_JOB_COLUMNS } from "./row.ts";

/** Longer than a ping is under way. */
const PING_FLIGHT_MS = 2_000;

/** A ping: renews the leases of the jobs it lists, and drops stops it no longer lists. */
export const renewLeases = sideBySide(function* renewLeases(
  workerId: string,
  listed: string[],
  now: number,
  leaseMs: number,
): Verb<void> {
  for (const id of listed) {
    // One that another replica is writing to is left for the next ping, and nobody waits.
    yield* change(
      `update job set lease_until = ? where seq = (select seq from job
         where id = ? and worker_id = ? and state = 'IN_PROGRESS' /*+ for update skip locked */)`,
      now + leaseMs,
      id,
      workerId,
    );
  }
  for (const { job_id, asked_at } of yield* stopsFor(workerId)) {
    // A ping that set out before the stop was asked for says nothing about it.
    if (listed.includes(job_id) || asked_at > now - PING_FLIGHT_MS) continue;
    yield* change(
      "delete from stop where worker_id = ? and job_id = ? and asked_at = ?",
      workerId,
      job_id,
      asked_at,
    );
  }
});

export function* dropStop(workerId: string, jobId: string): Verb<void> {
  yield* change("delete from stop where worker_id = ? and job_id = ?", workerId, jobId);
}

/** A running job with what is known of the worker that holds it. */
export interface HeldJob extends JobRow {
  observed: string | null;
  desired: string | null;
  unhealthy: string | null;
  pinged_at: number | null;
  ping_version: string | null;
  polled_idle_at: number | null;
  seen_at: number | null;
  signalled_at: number | null;
}

/** Every job in progress. Bounded by what workers can hold, so it is read whole. */
export function* heldJobs(): Verb<HeldJob[]> {
  return yield* rows<HeldJob>(
    `select ${QUALIFIED_JOB_COLUMNS}, worker.observed, worker.desired, worker.unhealthy,
       worker.pinged_at, worker.ping_version, worker.polled_idle_at, worker.seen_at,
       worker.signalled_at
     from job left join worker on worker.id = job.worker_id
     where job.state = 'IN_PROGRESS'`,
  );
}

/** The job as it is now, locked, if it is still held as it was when it was looked at. */
export function* stillHeld(seen: HeldJob): Verb<JobRow | undefined> {
  return yield* row<JobRow>(
    `select ${JOB_COLUMNS} from job
     where seq = ? and state = 'IN_PROGRESS' and attempts = ? and lease_until = ?
     /*+ for update */`,
    seen.seq,
    seen.attempts,
    seen.lease_until,
  );
}

/** Jobs that a worker holds now. */
export function* jobsHeldBy(workerId: string): Verb<{ id: string; seq: number }[]> {
  return yield* rows<{ id: string; seq: number }>(
    "select id, seq from job where worker_id = ? and state = 'IN_PROGRESS'",
    workerId,
  );
}

export interface StopRow {
  worker_id: string;
  job_id: string;
  asked_at: number;
  told_at: number | null;
}

export function* stopsFor(workerId: string): Verb<StopRow[]> {
  return yield* rows<StopRow>(
    "select worker_id, job_id, asked_at, told_at from stop where worker_id = ? order by asked_at",
    workerId,
  );
}

/** Stops to tell a worker now: new ones, and those it was told of before `toldBefore`. */
export const takeStops = sideBySide(function* takeStops(
  workerId: string,
  now: number,
  toldBefore: number,
): Verb<string[]> {
  const due = yield* rows<StopRow>(
    `update stop set told_at = ? where worker_id = ? and (told_at is null or told_at <= ?)
     returning job_id, asked_at`,
    now,
    workerId,
    toldBefore,
  );
  return due.sort((a, b) => a.asked_at - b.asked_at).map(({ job_id }) => job_id);
});

/** Stops that were asked for before an instant and are still there. */
export function* stopsBefore(before: number): Verb<StopRow[]> {
  return yield* rows<StopRow>(
    "select worker_id, job_id, asked_at, told_at from stop where asked_at <= ?",
    before,
  );
}
