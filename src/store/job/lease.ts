// Leases of running jobs, and what is known of the workers that hold them.

import type { RunningJob } from "../../domain/job/job.ts";
import type { RetryPolicy } from "../../domain/job/retry-policy.ts";
import type { DesiredState, ObservedState } from "../../domain/worker/worker.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";
import { checked } from "../engine/text/checked.ts";
import { JOB_COLUMNS, type JobRow, jobFromRow, retryFrom } from "./row.ts";
import { IS_RUNNING, RUNNING } from "./state-sql.ts";

/** Renews the lease of a job that the worker holds; a job that another replica is writing is left alone. */
export function* renewLease(jobId: string, workerId: string, leaseUntil: number): Tx<void> {
  yield* change(
    `update job set lease_until = ? where seq = (select seq from job
       where id = ? and ${checked("worker_id")} = ? and ${IS_RUNNING} /*+ for update skip locked */)`,
    leaseUntil,
    jobId,
    workerId,
  );
}

/** A running job and its worker, as far as a judgement about its lease needs them. */
export interface LeasedJob {
  seq: number;
  attempts: number;
  retries: number;
  retry: RetryPolicy | null;
  endedWorkers: number;
  takenAt: number;
  leaseUntil: number;
  ttlAt: number;
  executionMs: number;
  /** Null where there is no such worker. */
  worker: LeaseHolder | null;
}

export interface LeaseHolder {
  observed: ObservedState;
  desired: DesiredState;
  /** Why its end was requested. */
  desiredReason: string | null;
  unhealthy: string | null;
  pingedAt: number | null;
  pingVersion: string | null;
  polledIdleAt: number | null;
  seenAt: number | null;
  endCause: string | null;
}

interface Row {
  seq: number;
  attempts: number;
  retries: number;
  retry: string | null;
  ended_workers: number;
  taken_at: number;
  lease_until: number;
  ttl_at: number;
  execution_ms: number;
  observed: ObservedState | null;
  desired: DesiredState;
  desired_reason: string | null;
  unhealthy: string | null;
  pinged_at: number | null;
  ping_version: string | null;
  polled_idle_at: number | null;
  seen_at: number | null;
  end_cause: string | null;
}

/** Every running job: there are no more than workers can hold. */
export function* leasedJobs(): Tx<LeasedJob[]> {
  const found = yield* rows<Row>(
    `select job.seq, job.attempts, job.retries, job.taken_at, job.lease_until, job.ttl_at,
       job.execution_ms, job.retry, job.ended_workers, worker.observed, worker.desired, worker.desired_reason, worker.unhealthy, worker.pinged_at,
       worker.ping_version, worker.polled_idle_at, worker.seen_at, worker.end_cause
     from job left join worker on worker.id = job.worker_id
     where job.${RUNNING}`,
  );
  return found.map((row) => ({
    seq: row.seq,
    attempts: row.attempts,
    retries: row.retries,
    retry: retryFrom(row.retry),
    endedWorkers: row.ended_workers,
    takenAt: row.taken_at,
    leaseUntil: row.lease_until,
    ttlAt: row.ttl_at,
    executionMs: row.execution_ms,
    worker: holderFrom(row),
  }));
}

function holderFrom(row: Row): LeaseHolder | null {
  if (row.observed === null) return null;
  return {
    observed: row.observed,
    desired: row.desired,
    desiredReason: row.desired_reason,
    unhealthy: row.unhealthy,
    pingedAt: row.pinged_at,
    pingVersion: row.ping_version,
    polledIdleAt: row.polled_idle_at,
    seenAt: row.seen_at,
    endCause: row.end_cause,
  };
}

/** The job, locked, if neither its attempt nor its lease changed since it was read. */
export function* lockUnchanged(job: LeasedJob): Tx<RunningJob | undefined> {
  const found = yield* row<JobRow>(
    `select ${JOB_COLUMNS} from job
     where seq = ? and ${IS_RUNNING} and attempts = ? and lease_until = ?
     /*+ for update */`,
    job.seq,
    job.attempts,
    job.leaseUntil,
  );
  return found && (jobFromRow(found) as RunningJob);
}
