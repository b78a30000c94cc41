// Why a job is as it is: what it waits for, who has it, or how it ended.

import { isTerminal } from "../job/moves.ts";
import { jobStory } from "../job/story.ts";
import { counted, spanText } from "../span.ts";
import type { Answer, Evidence } from "./answer.ts";
import { whyEndedJob } from "./ended-job.ts";
import type { JobFacts, QueueFacts, Reason } from "./facts.ts";
import { explainQueue } from "./queue.ts";

export function whyJob(job: JobFacts, now: number): Answer {
  const reason = reasonFor(job, now);
  const sentence = [reason.sentence, ...late(job)].join(" ");
  const evidence = { ...reason.evidence, ...evidenceOf(job) };
  return { ...reason, sentence, evidence, story: jobStory(job, now) };
}

function reasonFor(job: JobFacts, now: number): Reason {
  if (isTerminal(job.state)) return whyEndedJob(job);
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
    `IN_QUEUE for ${spanText(now - job.queuedAt)}: ${reason.sentence}`,
    ...(ahead === 0 || reason.code === "in_line" ? [] : [place]),
    ...before(job),
  ];
  return { ...reason, sentence: parts.join(" ") };
}

/** What became of the attempt before this one. */
function before({ attempts, retries }: JobFacts): string[] {
  const last = attempts.at(-1);
  if (!last) return [];
  const counts = retries > 0 ? "; it is dispatched again this once" : "";
  return [`It came back from worker ${last.workerId} because ${last.outcome}${counts}.`];
}

function whyRunning(job: JobFacts, now: number): Reason {
  const { takenAt, workerId, leaseUntil, leaseMs, executionMs } = job;
  const evidence: Evidence = {};
  const runs = `IN_PROGRESS for ${spanText(now - takenAt!)}`;
  const seenAgo = job.workerSeenAt === null ? null : `${spanText(now - job.workerSeenAt)} ago`;
  if (leaseUntil !== null && now > leaseUntil) {
    const silent = spanText(now - (leaseUntil - leaseMs));
    return {
      code: "worker_silent",
      sentence: `${runs}, but worker ${workerId} has not said so for ${silent}${seenAgo ? `; it last called ${seenAgo}` : ""}.`,
      next: "Wait: a worker that is lost loses the job, and it goes to another one, once.",
      evidence,
    };
  }
  const left = spanText(Math.max(0, takenAt! + executionMs - now));
  const seen = seenAgo ? `, which last called ${seenAgo}` : "";
  const sentence = `${runs} on worker ${workerId}${seen}. It may run for ${left} more.`;
  return {
    code: job.retries > 0 ? "running_again" : "running",
    sentence: [sentence, ...before(job)].join(" "),
    next: null,
    evidence,
  };
}

function late({ latePosts, finishedAt }: JobFacts): string[] {
  const [first, ...more] = latePosts;
  if (!first || finishedAt === null) return [];
  const what = first.kind === "job-done" ? "a result" : "output";
  const others = more.length === 0 ? "" : `, and ${more.length} more came`;
  return [
    `Worker ${first.workerId} posted ${what} ${spanText(first.at - finishedAt)} after that${others}: ` +
      "too late to count.",
  ];
}
