// What the explanation of a job rests on: its own row, its attempts, the workers that had it, what
// came too late, and its queue while it waits.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { JobFacts } from "../../domain/why/facts.ts";
import { attemptsOf, jobsAhead, latePostsOf } from "../../store/job/find.ts";
import type { JobRow } from "../../store/job/row.ts";
import { costOfJob } from "../../store/money/held.ts";
import { findWorker, type WorkerRow } from "../../store/worker/worker.ts";
import { timesOf } from "../job/times.ts";
import { endingOf, lastLines, type WhyDeps } from "./look.ts";
import { queueFacts } from "./queue-facts.ts";

/** Beyond this many jobs ahead the exact number no longer matters to anybody. */
const MOST_AHEAD = 10_000;

export async function jobFacts(
  deps: WhyDeps,
  endpoint: Endpoint,
  job: JobRow,
  now: number,
): Promise<JobFacts> {
  const { attempts, latePosts, worker, had, cost } = await deps.store.read(lookAtJob, job, now);
  const ended = had.filter(({ ended_at }) => ended_at !== null);
  const last = ended.at(-1);
  return {
    ...timesOf(job, worker),
    cost,
    retries: job.retries,
    executionMs: job.execution_ms,
    ttlAt: job.ttl_at,
    leaseUntil: job.lease_until,
    leaseMs: deps.protocol.leaseMs,
    workerId: job.worker_id,
    workerSeenAt: worker?.seen_at ?? null,
    attempts,
    latePosts,
    ends: ended.map(endingOf).reverse(),
    log: last ? { workerId: last.id, lines: await lastLines(deps, last) } : null,
    queue: job.state === "IN_QUEUE" ? await waiting(deps, endpoint, job, now) : null,
  };
}

async function waiting(deps: WhyDeps, endpoint: Endpoint, job: JobRow, now: number) {
  const ahead = await deps.store.read(jobsAhead, job, MOST_AHEAD);
  return queueFacts(deps, endpoint, now, { ahead, lowPriority: job.low_priority === 1 });
}

function* lookAtJob(job: JobRow, now: number) {
  const rows = yield* attemptsOf(job.seq);
  const cost = yield* costOfJob(job, rows, now);
  const attempts = rows.map((attempt) => ({
    workerId: attempt.worker_id,
    takenAt: attempt.taken_at,
    endedAt: attempt.ended_at,
    outcome: attempt.outcome,
  }));
  const latePosts = (yield* latePostsOf(job.seq)).map(({ worker_id: workerId, ...post }) => ({
    ...post,
    workerId,
  }));
  const had: WorkerRow[] = [];
  for (const id of new Set([...attempts.map(({ workerId }) => workerId), job.worker_id])) {
    const worker = id === null ? undefined : yield* findWorker(id);
    if (worker) had.push(worker);
  }
  return { attempts, latePosts, had, cost, worker: had.find(({ id }) => id === job.worker_id) };
}
