// The explanation of a job: what it waits for, which worker has it, or how it ended.

import { counted } from "../../base/text/counted.ts";
import { durationText } from "../duration.ts";
import { isTerminal } from "../job/moves.ts";
import { jobStory } from "../job/story.ts";
import type { Answer, Evidence } from "./answer.ts";
import { whyEndedJob } from "./ended-job.ts";
import type { JobFacts, KeyFacts, QueueFacts, RateFacts, Reason } from "./facts.ts";
import { explainQueue } from "./queue.ts";

export function whyJob(job: JobFacts, now: number): Answer {
  const reason = reasonFor(job, now);
  const sentence = [reason.sentence, ...(job.gpuErrors ?? []), ...latePostText(job)].join(" ");
  const evidence = { ...reason.evidence, ...evidenceOf(job) };
  return { ...reason, sentence, evidence, story: jobStory(job, now) };
}

function reasonFor(job: JobFacts, now: number): Reason {
  if (isTerminal(job.state)) return whyEndedJob(job);
  if (job.heldByKey) return whyHeldByKey(job, job.heldByKey, now);
  if (job.heldByRate) return whyHeldByRate(job, job.heldByRate, now);
  if (job.dueAt !== null) return whyDelayed(job, job.dueAt, now);
  return job.queue ? whyWaiting(job, job.queue, now) : whyRunning(job, now);
}

function evidenceOf({ attempts, latePosts, error }: JobFacts): Evidence {
  return {
    ...(attempts.length > 0 && { attempts }),
    ...(latePosts.length > 0 && { latePosts }),
    ...(error !== null && { error }),
  };
}

function whyWaiting(job: JobFacts, queue: QueueFacts, now: number): Reason {
  const reason = explainQueue(queue);
  const { ahead } = queue;
  const place = `${counted(ahead, "job")} ${ahead === 1 ? "is" : "are"} ahead of it.`;
  const parts = [
    `IN_QUEUE for ${durationText(now - job.queuedAt)}: ${reason.sentence}`,
    ...(ahead === 0 || reason.code === "in_line" ? [] : [place]),
    ...previousAttempt(job),
  ];
  return { ...reason, sentence: parts.join(" ") };
}

/** Clients see a delayed job as IN_QUEUE. */
function whyDelayed(job: JobFacts, dueAt: number, now: number): Reason {
  const inSpan = durationText(Math.max(0, dueAt - now));
  const at = new Date(dueAt).toISOString();
  if (job.retries === 0) {
    return {
      code: "start_delayed",
      sentence: `IN_QUEUE: its client delayed its start until ${at}, which is in ${inSpan}.`,
      next: null,
      evidence: {},
    };
  }
  const parts = [`IN_QUEUE: ${nextAttempt(job)} begins in ${inSpan}, at ${at}.`];
  return {
    code: "retry_delayed",
    sentence: [...parts, ...previousAttempt(job)].join(" "),
    next: "Wait, or cancel the job.",
    evidence: {},
  };
}

function whyHeldByKey(job: JobFacts, { ahead, jobs, ...facts }: KeyFacts, now: number): Reason {
  const { key, limit, admitted } = facts;
  const more = admitted - jobs.length;
  const ids = more > 0 ? `${jobs.join(", ")} and ${more} more` : jobs.join(", ");
  const parts = [
    `IN_QUEUE for ${durationText(now - job.queuedAt)}: it waits for its concurrency key "${key}".`,
    `${admitted} of ${limit} jobs with the key run or are about to (${ids}).`,
    ...(ahead > 0 ? [aheadText(ahead)] : []),
    ...previousAttempt(job),
  ];
  return {
    code: "concurrency_limit",
    sentence: parts.join(" "),
    next: "Wait for one of them to end, or submit the next job with a higher limit for the key.",
    evidence: { concurrency: { ...facts, jobs, ahead } },
  };
}

function whyHeldByRate(job: JobFacts, rateLimit: RateFacts, now: number): Reason {
  const { key, limit, period, nextAt, ahead } = rateLimit;
  const next = `The next one enters in ${durationText(Math.max(0, nextAt - now))}`;
  const parts = [
    `IN_QUEUE for ${durationText(now - job.queuedAt)}: it waits for its rate limit "${key}".`,
    `${counted(limit, "job")} with the key ${limit === 1 ? "enters" : "enter"} the queue per ${durationText(period * 1_000)}.`,
    ahead === 0 ? `${next}: this job.` : `${next}; ${aheadText(ahead)}`,
    ...previousAttempt(job),
  ];
  return {
    code: "rate_limit",
    sentence: parts.join(" "),
    next: "Wait, or submit the next job with a higher limit for the key.",
    evidence: { rateLimit },
  };
}

function aheadText(ahead: number): string {
  return `${counted(ahead, "held job")} ${ahead === 1 ? "is" : "are"} ahead of it.`;
}

function nextAttempt({ retries, retry }: JobFacts): string {
  return `attempt ${retries + 1}${retry ? ` of ${retry.maxAttempts}` : ""}`;
}

/** The outcome of the previous attempt. */
function previousAttempt({ attempts, retries, retry }: JobFacts): string[] {
  const last = attempts.at(-1);
  if (!last) return [];
  if (retry) return [`Its attempt on worker ${last.workerId} ended: ${last.outcome}.`];
  const rule = retries > 0 ? "; it is dispatched again only once" : "";
  return [`Worker ${last.workerId} lost it because ${last.outcome}${rule}.`];
}

function whyRunning(job: JobFacts, now: number): Reason {
  const { takenAt, workerId, leaseUntil, leaseMs, executionMs } = job;
  const evidence: Evidence = {};
  const runs = `IN_PROGRESS for ${durationText(now - takenAt!)}`;
  const seenAgo = job.workerSeenAt === null ? null : `${durationText(now - job.workerSeenAt)} ago`;
  if (leaseUntil !== null && now > leaseUntil) {
    const silent = durationText(now - (leaseUntil - leaseMs));
    return {
      code: "worker_silent",
      sentence: `${runs}, but worker ${workerId} has not reported it for ${silent}${seenAgo ? `; the worker last called ${seenAgo}` : ""}.`,
      next: "Wait. If the worker is lost, the job is dispatched to another one, once.",
      evidence,
    };
  }
  const left = durationText(Math.max(0, takenAt! + executionMs - now));
  const lastCall = seenAgo ? `, which last called ${seenAgo}` : "";
  const sentence = `${runs} on worker ${workerId}${lastCall}. It may run for another ${left}.`;
  return {
    code: job.retries > 0 ? "running_again" : "running",
    sentence: [sentence, ...previousAttempt(job)].join(" "),
    next: null,
    evidence,
  };
}

function latePostText({ latePosts, finishedAt }: JobFacts): string[] {
  const [first] = latePosts;
  if (!first || finishedAt === null) return [];
  const what = first.kind === "job-done" ? "a result" : "output";
  const more = latePosts.reduce((sum, { posts }) => sum + posts, 0) - 1;
  const others = more === 0 ? "" : `, and ${counted(more, "more post")} followed`;
  const discarded = more === 0 ? "it was discarded" : "all were discarded";
  return [
    `Worker ${first.workerId} posted ${what} ${durationText(first.at - finishedAt)} later${others}; ${discarded}.`,
  ];
}
