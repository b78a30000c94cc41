import assert from "node:assert/strict";
import { test } from "node:test";
import { fleetOf } from "../../../test/samples/fleet.ts";
import { decideFleet } from "../endpoint/fleet-plan.ts";
import type { JobState } from "../job/moves.ts";
import { retryDefaults } from "../job/retry-policy.ts";
import {
  CANCELLED,
  ENDPOINT_DELETED,
  EXECUTION_TIMEOUT,
  LOST_TWICE,
  lostAfter,
  PURGED,
  quarantinedAfter,
  resultTooLarge,
  TTL_QUEUED,
  TTL_RUNNING,
} from "../job/sentences.ts";
import type { WhyCode } from "./codes.ts";
import type { JobFacts } from "./facts.ts";
import { whyJob } from "./job.ts";

const T = 1_800_000_000_000;
const NOW = T + 31_000;

const job: JobFacts = {
  id: "j",
  state: "IN_PROGRESS",
  submittedAt: T,
  queuedAt: T,
  startAt: null,
  dueAt: null,
  takenAt: T + 1_000,
  finishedAt: null,
  error: null,
  cost: 0,
  worker: null,
  retries: 0,
  retry: null,
  executionMs: 600_000,
  ttlAt: T + 86_400_000,
  leaseUntil: NOW + 10_000,
  leaseMs: 40_000,
  workerId: "w-2",
  workerSeenAt: NOW - 2_000,
  attempts: [],
  latePosts: [],

  ends: [],
  log: null,
  queue: null,
};

const ended = (state: JobState, error: string | null = null, more: Partial<JobFacts> = {}) => ({
  state,
  error,
  finishedAt: T + 5_000,
  leaseUntil: null,
  ...more,
});
const withoutWorker = { takenAt: null, workerId: null };
const attempt = {
  workerId: "w-1",
  takenAt: T,
  endedAt: T + 900,
  outcome: "its worker stopped calling",
};
const again = { retries: 1, attempts: [attempt] };
const killed = { workerId: "w-2", endedAt: T, exitCode: 137, signal: null, unhealthy: null };
const oom = { workerId: "w-2", lines: ["loading", "torch.OutOfMemoryError: 24 GB"] };
const fleet = fleetOf({
  queue: "3 wait 31s",
  workers: "busy",
  scaler: "QUEUE_DELAY 4, 0-1, idle 5",
});
const queue = {
  fleet,
  plan: decideFleet(fleet),
  deleted: false,
  paused: null,
  driver: { name: "process", here: true },
  mountable: true,
  passedOver: null,
  ends: [],
  log: null,
  ahead: 2,
  lowPriority: false,
};

const held = { key: "user-7", limit: 2, admitted: 2, jobs: ["a", "b"] };

const rate = { key: "api", limit: 60, period: 60, burst: 1, nextAt: NOW + 1_000 };

const rows: [facts: Partial<JobFacts>, code: WhyCode, sentence: string][] = [
  [
    { state: "IN_QUEUE", ...withoutWorker, queue },
    "workers_busy",
    "IN_QUEUE for 31 s: the endpoint's only worker is busy, and workersMax is 1. " +
      "2 jobs are ahead of it.",
  ],
  [
    { state: "IN_QUEUE", ...withoutWorker, ...again, queue: { ...queue, ahead: 1 } },
    "workers_busy",
    "IN_QUEUE for 31 s: the endpoint's only worker is busy, and workersMax is 1. " +
      "1 job is ahead of it. Worker w-1 lost it because its worker stopped calling; " +
      "it is dispatched again only once.",
  ],
  [
    { state: "DELAYED", ...withoutWorker, startAt: NOW + 60_000, dueAt: NOW + 60_000 },
    "start_delayed",
    "IN_QUEUE: its client delayed its start until 2027-01-15T08:01:31.000Z, which is in 60 s.",
  ],
  [
    { state: "DELAYED", ...withoutWorker, heldByKey: { ...held, ahead: 0 } },
    "concurrency_limit",
    'IN_QUEUE for 31 s: it waits for its concurrency key "user-7". ' +
      "2 of 2 jobs with the key run or are about to (a, b).",
  ],
  [
    { state: "DELAYED", ...withoutWorker, heldByKey: { ...held, admitted: 5, limit: 5, ahead: 1 } },
    "concurrency_limit",
    'IN_QUEUE for 31 s: it waits for its concurrency key "user-7". ' +
      "5 of 5 jobs with the key run or are about to (a, b and 3 more). 1 held job is ahead of it.",
  ],
  [
    { state: "DELAYED", ...withoutWorker, heldByRate: { ...rate, ahead: 0 } },
    "rate_limit",
    'IN_QUEUE for 31 s: it waits for its rate limit "api". ' +
      "60 jobs with the key enter the queue per 60 s. The next one enters in 1 s: this job.",
  ],
  [
    { state: "DELAYED", ...withoutWorker, heldByRate: { ...rate, limit: 1, ahead: 2 } },
    "rate_limit",
    'IN_QUEUE for 31 s: it waits for its rate limit "api". ' +
      "1 job with the key enters the queue per 60 s. The next one enters in 1 s; 2 held jobs are ahead of it.",
  ],
  [
    { state: "DELAYED", ...withoutWorker, ...again, retry: retryDefaults, dueAt: NOW + 5_000 },
    "retry_delayed",
    "IN_QUEUE: attempt 2 of 3 begins in 5 s, at 2027-01-15T08:00:36.000Z. " +
      "Its attempt on worker w-1 ended: its worker stopped calling.",
  ],
  [
    ended("FAILED", lostAfter(2), { retries: 2, retry: retryDefaults, ends: [killed] }),
    "workers_lost",
    "FAILED: after 3 attempts its retry policy allows no other: worker w-2 ended with exit code 137. " +
      "This usually means that the machine ran out of memory.",
  ],
  [
    ended("FAILED", quarantinedAfter(2), { retries: 1, retry: retryDefaults, ends: [killed] }),
    "quarantined",
    "FAILED: quarantined: 2 workers ended while they had the job. The last one: worker w-2 ended with exit code 137. " +
      "This usually means that the machine ran out of memory.",
  ],
  [
    {},
    "running",
    "IN_PROGRESS for 30 s on worker w-2, which last called 2 s ago. It may run for another 9 min 30 s.",
  ],
  [
    again,
    "running_again",
    "IN_PROGRESS for 30 s on worker w-2, which last called 2 s ago. It may run for another 9 min 30 s. " +
      "Worker w-1 lost it because its worker stopped calling; it is dispatched again " +
      "only once.",
  ],
  [
    { leaseUntil: NOW - 5_000, workerSeenAt: NOW - 45_000 },
    "worker_silent",
    "IN_PROGRESS for 30 s, but worker w-2 has not reported it for 45 s; the worker last called 45 s ago.",
  ],
  [
    ended("COMPLETED"),
    "completed",
    "COMPLETED: worker w-2 posted the result after 4 s; the job had waited 1 s.",
  ],
  [
    ended("FAILED", "no such file"),
    "handler_failed",
    "FAILED: worker w-2 posted an error: no such file",
  ],
  [
    ended(
      "FAILED",
      `{"error_type":"<class 'KeyError'>","error_message":"'seed'","error_traceback":"..."}`,
    ),
    "handler_failed",
    "FAILED: worker w-2 posted an error: KeyError: 'seed'",
  ],
  [ended("FAILED", "{not json"), "handler_failed", "FAILED: worker w-2 posted an error: {not json"],
  [
    ended("FAILED", EXECUTION_TIMEOUT, { executionMs: 4_000 }),
    "execution_timeout",
    "FAILED: it exceeded its execution timeout of 4 s on worker w-2 and was stopped.",
  ],
  [
    ended("FAILED", LOST_TWICE, { ...again, ends: [killed], log: oom }),
    "lost_twice",
    "FAILED: worker w-1 lost it (its worker stopped calling), then worker w-2 ended with " +
      "exit code 137 (torch.OutOfMemoryError: 24 GB). This usually means that the machine ran out of memory.",
  ],
  [
    ended("FAILED", LOST_TWICE, again),
    "lost_twice",
    "FAILED: worker w-1 lost it (its worker stopped calling), then worker w-2 was lost.",
  ],
  [
    ended("FAILED", resultTooLarge(21_000_000, 20_971_520)),
    "result_too_large",
    "FAILED: the worker's result has 21000000 bytes; the limit is 20971520.",
  ],
  [ended("CANCELLED", CANCELLED, withoutWorker), "cancelled", "CANCELLED: cancelled by a client."],
  [ended("CANCELLED", PURGED, withoutWorker), "purged", "CANCELLED: removed by purge-queue."],
  [
    ended("CANCELLED", ENDPOINT_DELETED, withoutWorker),
    "endpoint_deleted",
    "CANCELLED: its endpoint was deleted.",
  ],
  [
    ended("TIMED_OUT", TTL_QUEUED, { ...withoutWorker, ttlAt: T + 5_000 }),
    "ttl_queued",
    "TIMED_OUT: its time to live of 5 s ran out before a worker took it.",
  ],
  [
    ended("TIMED_OUT", TTL_RUNNING, { ttlAt: T + 5_000 }),
    "ttl_running",
    "TIMED_OUT: its time to live of 5 s ran out while it was running.",
  ],
  [
    ended("CANCELLED", CANCELLED, {
      latePosts: [{ at: T + 17_000, workerId: "w-2", kind: "job-done", bytes: 9, posts: 1 }],
    }),
    "cancelled",
    "CANCELLED: cancelled by a client. Worker w-2 posted a result 12 s later; it was discarded.",
  ],
];

for (const [facts, code, sentence] of rows) {
  test(sentence, () => {
    const answer = whyJob({ ...job, ...facts }, NOW);
    assert.deepEqual([answer.code, answer.sentence], [code, sentence]);
    assert.ok(answer.story?.startsWith("job j  queued "));
  });
}

test("the relevant facts of a job are its evidence", () => {
  const latePosts = [{ at: T + 17_000, workerId: "w-1", kind: "job-done", bytes: 9, posts: 1 }];
  const facts = ended("FAILED", LOST_TWICE, { ...again, latePosts, ends: [killed], log: oom });
  const { evidence } = whyJob({ ...job, ...facts }, NOW);
  assert.deepEqual(evidence, {
    ends: [killed],
    log: oom,
    attempts: [attempt],
    latePosts,
    error: LOST_TWICE,
  });
  assert.deepEqual(whyJob(job, NOW).evidence, {});
});
