// The facts that explain a job: the job itself, its attempts, the workers that had it, late posts, and
// its queue while it waits.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { gpuErrorTexts } from "../../domain/gpu/error-text.ts";
import { earlierAttempts } from "../../domain/job/attempts.ts";
import { isEndedJob, type Job, type JobAttempt } from "../../domain/job/job.ts";
import { admitAtRate } from "../../domain/job/schedule/rate-limit.ts";
import type { JobFacts, KeyFacts, RateFacts } from "../../domain/why/facts.ts";
import { isEndedWorker, type Worker } from "../../domain/worker/worker.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { attemptsOf } from "../../store/job/attempt.ts";
import { jobsAhead } from "../../store/job/find.ts";
import { latePostsOf } from "../../store/job/late-post.ts";
import { keyAdmissions } from "../../store/job/schedule/concurrency.ts";
import { rateAdmissions } from "../../store/job/schedule/rate-limit.ts";
import { findWorker } from "../../store/worker/worker.ts";
import { costOfJob } from "../../transactions/money/job-cost.ts";
import { timesOf } from "../job/times.ts";
import { listMachines } from "../machine/list.ts";
import { endingOf, lastLinesOfJob, type WhyDeps } from "./collect-facts.ts";
import { queueFacts } from "./queue-facts.ts";

/** Beyond this many jobs ahead the exact number does not matter. */
const MAX_AHEAD_COUNTED = 10_000;

export async function jobFacts(
  deps: WhyDeps,
  endpoint: Endpoint,
  job: Job,
  now: number,
): Promise<JobFacts> {
  const { attempts, latePosts, worker, workers, cost } = await deps.store.read(
    readJobRows,
    job,
    now,
  );
  const ended = workers.filter(isEndedWorker);
  const last = ended.at(-1);
  return {
    ...timesOf(job, worker),
    cost,
    retries: job.retries,
    retry: job.retry,
    executionMs: job.executionMs,
    ttlAt: job.ttlAt,
    leaseUntil: job.state === "IN_PROGRESS" ? job.leaseUntil : null,
    leaseMs: deps.protocol.leaseMs,
    workerId: job.workerId,
    workerSeenAt: worker?.seenAt ?? null,
    attempts,
    latePosts,
    ends: ended.map(endingOf).reverse(),
    log: last ? { workerId: last.id, lines: await linesOfJob(deps, job, attempts, last) } : null,
    gpuErrors: await gpuErrorsOf(deps, job, attempts),
    heldByKey: await deps.store.read(readKey, job),
    heldByRate: await deps.store.read(readRate, job, now),
    queue: job.state === "IN_QUEUE" ? await queueOf(deps, endpoint, job, now) : null,
  };
}

/** Machines are read only for a job that a worker had. */
async function gpuErrorsOf(
  deps: WhyDeps,
  job: Job,
  earlier: readonly Omit<JobAttempt, "n">[],
): Promise<string[]> {
  const { workerId, takenAt } = job;
  const endedAt = isEndedJob(job) ? job.finishedAt : null;
  const last = workerId === null || takenAt === null ? [] : [{ workerId, takenAt, endedAt }];
  const attempts = [...earlier, ...last];
  if (attempts.length === 0) return [];
  const machines = await listMachines(deps);
  return machines.flatMap(({ gpuHealth, inventory: { gpuNumbers = {} } }) =>
    gpuErrorTexts(gpuHealth, gpuNumbers, attempts),
  );
}

/** What a worker printed while it had the job last: what it printed for others explains nothing. */
async function linesOfJob(
  deps: WhyDeps,
  job: Job,
  attempts: readonly Pick<JobAttempt, "workerId" | "takenAt" | "endedAt">[],
  worker: Worker,
): Promise<string[]> {
  const { workerId, takenAt } = job;
  const endedAt = isEndedJob(job) ? job.finishedAt : null;
  const all = [...attempts, ...(takenAt === null ? [] : [{ workerId, takenAt, endedAt }])];
  const last = all.findLast((attempt) => attempt.workerId === worker.id);
  if (!last) return [];
  return lastLinesOfJob(deps, worker, job, { jobId: job.id, from: last.takenAt, to: last.endedAt });
}

async function queueOf(deps: WhyDeps, endpoint: Endpoint, job: Job, now: number) {
  const ahead = await deps.store.read(jobsAhead, job, MAX_AHEAD_COUNTED);
  return queueFacts(deps, endpoint, now, { ahead, lowPriority: job.lowPriority });
}

/** How many of a key's admitted jobs are named. */
const MAX_NAMED = 3;

function* readKey(job: Job): Tx<KeyFacts | null> {
  if (job.state !== "DELAYED" || job.heldBy !== "concurrency" || !job.concurrency) return null;
  const { key, limit } = job.concurrency;
  const { jobs, ...facts } = yield* keyAdmissions(job, key, MAX_AHEAD_COUNTED);
  return { key, ...facts, limit: facts.limit ?? limit, jobs: jobs.slice(0, MAX_NAMED) };
}

function* readRate(job: Job, now: number): Tx<RateFacts | null> {
  if (job.state !== "DELAYED" || job.heldBy !== "rate" || !job.rateLimit) return null;
  const { key } = job.rateLimit;
  const { state, ahead } = yield* rateAdmissions(job, key, MAX_AHEAD_COUNTED);
  const pace = state?.pace ?? job.rateLimit;
  const { readyAt } = admitAtRate(pace, { nextUs: state?.nextUs ?? 0, held: 0 }, now);
  return { ...pace, key, nextAt: Math.max(now, readyAt), ahead };
}

function* readJobRows(job: Job, now: number) {
  const stored = yield* attemptsOf(job.seq);
  const cost = yield* costOfJob(job, stored, now);
  const attempts = earlierAttempts(job, stored).map(({ n: _, ...attempt }) => attempt);
  const latePosts = yield* latePostsOf(job.seq);
  const workers: Worker[] = [];
  for (const id of new Set([...attempts.map(({ workerId }) => workerId), job.workerId])) {
    const worker = id === null ? undefined : yield* findWorker(id);
    if (worker) workers.push(worker);
  }
  return {
    attempts,
    latePosts,
    workers,
    cost,
    worker: workers.find(({ id }) => id === job.workerId),
  };
}
