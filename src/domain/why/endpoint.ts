// The explanation of an endpoint's state: what delays its queue, if anything.

import { capitalize } from "../../base/text/capitalize.ts";
import { counted } from "../../base/text/counted.ts";
import { type EndCause, endCauses } from "../container/end-cause.ts";
import { durationText } from "../duration.ts";
import type { Answer } from "./answer.ts";
import type { QueueFacts } from "./facts.ts";
import { CHECK_PORTS, explainQueue, rolling } from "./queue.ts";

export function whyEndpoint(facts: QueueFacts): Answer {
  const { waiting, waitingLowPriority, oldestWaitingMs, busy, idle, starting, draining } =
    facts.plan.reason.facts;
  const queue = explainQueue(facts);
  const jobs = waiting + waitingLowPriority;
  const unit = facts.serving ? "request" : "job";
  if (jobs > 0) {
    const oldest =
      oldestWaitingMs === null ? "" : `, the oldest for ${durationText(oldestWaitingMs)}`;
    const wait = jobs === 1 ? `1 ${unit} waits` : `${jobs} ${unit}s wait`;
    return { ...queue, sentence: `${wait}${oldest}: ${queue.sentence}` };
  }
  const { evidence } = queue;
  const reason = lastingCodes.has(queue.code) ? queue : rolling(facts);
  if (reason) return { ...reason, sentence: capitalize(reason.sentence), evidence };
  if (busy > 0) {
    const who = `${counted(busy, "worker")} ${busy === 1 ? "is" : "are"} busy`;
    const sentence = `${who}, ${idle} idle, and no ${unit} waits.`;
    return { code: "serving", sentence, evidence, next: null };
  }
  if (starting > 0 && facts.serving?.finding) {
    const sentence = `No request waits. A worker that starts ${facts.serving.finding}.`;
    return { code: "worker_starting", sentence, evidence, next: CHECK_PORTS };
  }
  const states = [
    `${idle} idle`,
    ...(starting > 0 ? [`${starting} starting`] : []),
    ...(draining > 0 ? [`${draining} ending`] : []),
  ];
  const workers =
    idle + starting + draining === 0
      ? "The endpoint has no worker"
      : `Workers: ${states.join(", ")}`;
  const sentence = `No ${unit} waits and none runs. ${workers}. A new ${unit} starts one if none is idle.`;
  return { code: "idle", sentence, evidence, next: null };
}

/** Reasons that apply whether or not a job waits, the causes of failed starts among them. */
const lastingCodes = new Set<Answer["code"]>([
  "endpoint_deleted",
  "no_credits",
  "budget_spent",
  "quota_exceeded",
  "no_workers_allowed",
  "driver_missing",
  "volume_away",
  "fair_share",
  "no_capacity",
  "start_refused",
  "workers_unhealthy",
  "backing_off",
  "crash_loop",
  ...(Object.keys(endCauses) as EndCause[]),
]);
