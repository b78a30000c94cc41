// Enforces the time limits of jobs: leases, execution timeouts, times to live, and the grace period
// of workers that continue a job that they were asked to stop.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { earliest } from "../../domain/endpoint/fleet.ts";
import { judgeLease, type LeaseVerdict, lastInstant } from "../../domain/job/expiry.ts";
import type { LiveJob } from "../../domain/job/job.ts";
import {
  EXECUTION_TIMEOUT,
  lostAfter,
  quarantinedAfter,
  TTL_RUNNING,
} from "../../domain/job/sentences.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import type { LeasedJob, LeaseHolder } from "../../store/job/lease.ts";
import { leasedJobs, lockUnchanged } from "../../store/job/lease.ts";
import { nextEndOfTtl } from "../../store/job/retention.ts";
import {
  lockOverdueStop,
  type OverdueLimits,
  overdueStops,
  type StopRequest,
} from "../../store/job/stop.ts";
import { endLockedJob, expireQueued, type JobStop } from "../../transactions/job/end.ts";
import { requeueJob, tryAgain } from "../../transactions/job/requeue.ts";
import { requestWorkerEnd } from "../../transactions/worker/request-end.ts";
import { Watch } from "../engine/connected-since.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";

const MAX_PER_TRANSACTION = 200;

interface ExpireDeps {
  store: Store;
  clock: Clock;
  ids: Pick<Ids, "fraction">;
  protocol: Protocol;
}

export function expireLoop(deps: ExpireDeps): Loop {
  const watch = new Watch(deps.clock);
  return {
    name: "expire",
    shared: true,
    periodMs: 1_000,
    restMs: 100,
    topics: [topic.workloads],
    run: () => expire(deps, watch),
  };
}

async function expire(deps: ExpireDeps, watch: Watch): Promise<number | null> {
  const { store, clock, protocol } = deps;
  const jobs = await store.read(leasedJobs);
  const watchedSince = watch.recordPass();
  const each = new Each();
  for (const job of jobs) await each.try(() => judge(deps, job, watchedSince));
  const now = clock.now();
  const before = { unheard: now - protocol.stopGraceMs, heard: now - protocol.stopHeardGraceMs };
  for (const stop of await store.read(overdueStops, before)) {
    await each.try(() => store.write(endStuckWorker, stop, before, now));
  }
  const expired = await store.write(expireQueued, now, MAX_PER_TRANSACTION);
  if (expired === MAX_PER_TRANSACTION) return each.end(now);
  const ends = [...jobs.map(lastInstant), await store.read(nextEndOfTtl)];
  return each.end(earliest(...ends.filter((at) => at !== null && at > now)));
}

async function judge(
  { store, clock, ids, protocol }: ExpireDeps,
  job: LeasedJob,
  watchedSince: number,
): Promise<void> {
  const now = clock.now();
  const worker = job.worker && signsOf(job.worker);
  const facts = { ...job, watchedSince, worker, draw: ids.fraction() };
  const verdict = judgeLease(facts, now, protocol);
  if (verdict.event === "none") return;
  await store.write(carryOut, job, verdict, now);
}

/** A worker that left the job, or heard the request, since it was read goes on. */
function* endStuckWorker(stop: StopRequest, before: OverdueLimits, now: number): Tx<void> {
  if (!(yield* lockOverdueStop(stop, before))) return;
  const reason = `it still works on job ${stop.jobId}, although it was asked to stop it`;
  yield* requestWorkerEnd(stop.workerId, "end", reason, now);
}

type Judged = Exclude<LeaseVerdict, { event: "none" }>;

/** A job whose result arrived since it was read is left alone. */
function* carryOut(read: LeasedJob, verdict: Judged, now: number): Tx<void> {
  const job = yield* lockUnchanged(read);
  if (!job) return;
  if (verdict.event === "requeue") yield* requeueJob(job, verdict.evidence, now);
  else if ("at" in verdict) yield* tryAgain(job, verdict, now);
  else yield* endLockedJob(job, stopFor(job, verdict), now);
}

function stopFor(
  job: LiveJob,
  verdict: Exclude<Judged, { event: "requeue" } | { at: number }>,
): JobStop {
  const { event } = verdict;
  switch (event) {
    case "overrun":
      return { event, error: EXECUTION_TIMEOUT, outcome: "its execution timeout was over" };
    case "expire":
      return { event, error: TTL_RUNNING };
    case "giveUp":
      return { event, error: lostAfter(job.retries), outcome: verdict.evidence };
    case "quarantine":
      return { event, error: quarantinedAfter(verdict.endedWorkers), outcome: verdict.evidence };
  }
}

function signsOf({ observed, desired, desiredReason, unhealthy, endCause, ...signs }: LeaseHolder) {
  const endRequested = desired !== "run" && unhealthy === null;
  const outOfMemory = endCause === "out_of_memory";
  return {
    ...signs,
    ended: observed === "ended",
    outOfMemory,
    endRequested,
    endReason: desiredReason,
  };
}
