// What time does to jobs: leases that ran out, execution time-outs, times to live, and workers that
// go on with a job they were told to stop.

import type { Clock } from "../base/clock.ts";
import { judgeHeld } from "../domain/job/expiry.ts";
import { EXECUTION_TIMEOUT, LOST_TWICE, TTL_RUNNING } from "../domain/job/sentences.ts";
import type { Protocol } from "../domain/protocol.ts";
import { expireQueued } from "../store/job/due.ts";
import { endRow } from "../store/job/end.ts";
import { requeueRow } from "../store/job/give-back.ts";
import { type HeldJob, heldJobs, stillHeld, stopsBefore } from "../store/job/lease.ts";
import type { Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import { wantEnd } from "../store/worker/worker.ts";
import type { Loop } from "./loop.ts";
import { Watch } from "./watch.ts";

const MOST_A_TURN = 200;

interface Deps {
  store: Store;
  clock: Clock;
  protocol: Protocol;
}

export function expireLoop(deps: Deps): Loop {
  const watch = new Watch(deps.clock.now());
  return {
    name: "expire",
    shared: true,
    periodMs: 1_000,
    restMs: 50,
    topics: [topic.workloads],
    turn: () => expire(deps, watch),
  };
}

async function expire(deps: Deps, watch: Watch): Promise<number | null> {
  const { store, clock, protocol } = deps;
  const held = await store.read(heldJobs);
  const since = watch.look(clock.now());
  for (const job of held) await judge(deps, job, since);
  const now = clock.now();
  for (const stop of await store.read(stopsBefore, now - protocol.stopGraceMs)) {
    const why = `it still works on job ${stop.job_id}, which it was told to stop`;
    await store.write(wantEnd, stop.worker_id, "end", why, now);
  }
  const expired = await store.write(expireQueued, now, MOST_A_TURN);
  return expired === MOST_A_TURN ? now : null;
}

async function judge({ store, clock, protocol }: Deps, job: HeldJob, since: number): Promise<void> {
  const now = clock.now();
  const verdict = judgeHeld(
    {
      takenAt: job.taken_at!,
      leaseUntil: job.lease_until!,
      ttlAt: job.ttl_at,
      executionMs: job.execution_ms,
      retries: job.retries,
      watchedSince: since,
      worker: job.observed === null ? null : signsOf(job),
    },
    now,
    protocol,
  );
  if (verdict.event === "none") return;
  await store.write(carryOut, job, verdict, now);
}

/** Between the look and this write a result may have come: the job is then left alone. */
function* carryOut(
  seen: HeldJob,
  verdict: Exclude<ReturnType<typeof judgeHeld>, { event: "none" }>,
  now: number,
): Verb<void> {
  const job = yield* stillHeld(seen);
  if (!job) return;
  if (verdict.event === "overrun") yield* endRow(job, "overrun", EXECUTION_TIMEOUT, now);
  else if (verdict.event === "expire") yield* endRow(job, "expire", TTL_RUNNING, now);
  else if (verdict.event === "giveUp") yield* endRow(job, "giveUp", LOST_TWICE, now);
  else if ("evidence" in verdict) yield* requeueRow(job, verdict.event, verdict.evidence, now);
}

function signsOf(job: HeldJob) {
  return {
    ended: job.observed === "ended",
    endAsked: job.desired !== "run" && job.unhealthy === null,
    pingedAt: job.pinged_at,
    pingVersion: job.ping_version,
    polledIdleAt: job.polled_idle_at,
    seenAt: job.seen_at,
  };
}
