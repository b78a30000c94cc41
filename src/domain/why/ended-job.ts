// The explanation of an ended job, from its state and its error message.

import { counted } from "../../base/text/counted.ts";
import { durationText } from "../duration.ts";
import { errorText } from "../job/error-text.ts";
import {
  ENDPOINT_DELETED,
  EXECUTION_TIMEOUT,
  LOST_TWICE,
  PURGED,
  REPLACED,
  saysLost,
  saysQuarantined,
  saysTooLarge,
  TTL_RUNNING,
} from "../job/sentences.ts";
import type { WhyCode } from "./codes.ts";
import { exitText, usualMeaning } from "./endings.ts";
import type { Explanation, JobFacts, Reason } from "./facts.ts";
import { logCause } from "./log-cause.ts";

export function whyEndedJob(job: JobFacts): Reason {
  const outcome = explainOutcome(job);
  const { ends, log } = job;
  const isLost = LOSSES.has(outcome.code);
  const evidence = isLost ? { ...(ends.length > 0 && { ends }), ...(log && { log }) } : {};
  return { ...outcome, sentence: `${job.state}: ${outcome.sentence}`, evidence };
}

/** Outcomes whose evidence is how the workers ended. */
const LOSSES = new Set<WhyCode>(["lost_twice", "workers_lost", "quarantined"]);

function explainOutcome(job: JobFacts): Explanation {
  if (job.state === "COMPLETED") return completed(job);
  if (job.state === "CANCELLED") return cancelled(job);
  if (job.state === "TIMED_OUT") return timedOut(job);
  if (job.error === EXECUTION_TIMEOUT) return overran(job);
  if (job.error === LOST_TWICE && job.retry === null) return lostTwice(job);
  if (job.error !== null && saysLost(job.error)) return workersLost(job);
  if (job.error !== null && saysQuarantined(job.error)) return quarantined(job, job.error);
  if (job.error !== null && saysTooLarge(job.error)) return tooLarge(job.error);
  return handlerFailed(job);
}

function completed({ submittedAt, takenAt, finishedAt, workerId }: JobFacts): Explanation {
  const ran = durationText(finishedAt! - takenAt!);
  const waited = durationText(takenAt! - submittedAt);
  return {
    code: "completed",
    sentence: `worker ${workerId} posted the result after ${ran}; the job had waited ${waited}.`,
    next: null,
  };
}

function cancelled({ error }: JobFacts): Explanation {
  const codes: Record<string, WhyCode> = {
    [PURGED]: "purged",
    [ENDPOINT_DELETED]: "endpoint_deleted",
    [REPLACED]: "replaced",
  };
  const code = codes[error ?? ""] ?? "cancelled";
  return { code, sentence: `${error ?? "cancelled"}.`, next: null };
}

function timedOut({ error, ttlAt, submittedAt, startAt }: JobFacts): Explanation {
  const ttl = `its time to live of ${durationText(ttlAt - (startAt ?? submittedAt))} ran out`;
  const next = "Retry it, or submit it with a longer policy.ttl.";
  if (error === TTL_RUNNING) {
    return { code: "ttl_running", sentence: `${ttl} while it was running.`, next };
  }
  return { code: "ttl_queued", sentence: `${ttl} before a worker took it.`, next };
}

function overran({ executionMs, workerId }: JobFacts): Explanation {
  return {
    code: "execution_timeout",
    sentence:
      `it exceeded its execution timeout of ${durationText(executionMs)} on worker ${workerId} ` +
      "and was stopped.",
    next: "Raise policy.executionTimeout or the endpoint's executionTimeoutMs, or do less in one job.",
  };
}

const FIX_AND_RETRY = "Fix what ends the worker while it has the job, then retry it.";

function lostTwice(job: JobFacts): Explanation {
  const { workerId, attempts } = job;
  const first = attempts.findLast((each) => each.workerId !== workerId) ?? attempts.at(-1);
  const earlier = first ? `worker ${first.workerId} lost it (${first.outcome}), then ` : "";
  return { code: "lost_twice", sentence: `${earlier}${lastLoss(job)}`, next: FIX_AND_RETRY };
}

/** How the last worker ended, as the end of a sentence and what it usually means. */
function lastLoss({ workerId, ends, log }: JobFacts): string {
  const last = ends.find((each) => each.workerId === workerId);
  const how = last ? `worker ${workerId} ended ${exitText(last)}` : `worker ${workerId} was lost`;
  const cause = last && log?.workerId === workerId ? logCause(log.lines) : null;
  const meaning = last ? usualMeaning(last) : null;
  return `${how}${cause ? ` (${cause})` : ""}.${meaning ? ` ${meaning}` : ""}`;
}

function workersLost(job: JobFacts): Explanation {
  const attempts = counted(job.retries + 1, "attempt");
  const sentence = `after ${attempts} its retry policy allows no other: ${lastLoss(job)}`;
  return { code: "workers_lost", sentence, next: FIX_AND_RETRY };
}

function quarantined(job: JobFacts, error: string): Explanation {
  const sentence = `${error}. The last one: ${lastLoss(job)}`;
  return { code: "quarantined", sentence, next: FIX_AND_RETRY };
}

function tooLarge(error: string): Explanation {
  const next = "Return less, or store the result in a volume or bucket and return its address.";
  return { code: "result_too_large", sentence: `${error}.`, next };
}

const LONGEST = 300;

function handlerFailed({ error, workerId }: JobFacts): Explanation {
  const what = errorText(error ?? "no reason was given");
  const cut = what.length > LONGEST ? `${what.slice(0, LONGEST)}...` : what;
  return {
    code: "handler_failed",
    sentence: `worker ${workerId} posted an error: ${cut}`,
    next: "Fix the handler or the job's input, then retry it.",
  };
}
