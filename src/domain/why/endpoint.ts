// Why an endpoint is as it is: what holds its queue up, or that nothing does.

import { counted, spanText } from "../span.ts";
import type { Answer } from "./answer.ts";
import type { QueueFacts } from "./facts.ts";
import { explainQueue, rolling } from "./queue.ts";

export function whyEndpoint(facts: QueueFacts): Answer {
  const { waiting, waitingLowPriority, oldestWaitingMs, busy, idle, starting, draining } =
    facts.plan.reason.facts;
  const reason = explainQueue(facts);
  const jobs = waiting + waitingLowPriority;
  if (jobs > 0) {
    const oldest = oldestWaitingMs === null ? "" : `, the oldest for ${spanText(oldestWaitingMs)}`;
    const wait = jobs === 1 ? "1 job waits" : `${jobs} jobs wait`;
    return { ...reason, sentence: `${wait}${oldest}: ${reason.sentence}` };
  }
  const { evidence } = reason;
  const told = standing.has(reason.code) ? reason : rolling(facts);
  if (told) return { ...told, sentence: capitalised(told.sentence), evidence };
  if (busy > 0) {
    const who = `${counted(busy, "worker")} ${busy === 1 ? "is" : "are"} busy`;
    const sentence = `${who}, ${idle} idle, and no job waits.`;
    return { code: "serving", sentence, evidence, next: null };
  }
  const there = [
    `${idle} idle`,
    ...(starting > 0 ? [`${starting} starting`] : []),
    ...(draining > 0 ? [`${draining} ending`] : []),
  ];
  const workers =
    idle + starting + draining === 0 ? "It has no worker" : `Workers: ${there.join(", ")}`;
  const sentence = `No job waits and none runs. ${workers}; a job starts one if none is idle.`;
  return { code: "idle", sentence, evidence, next: null };
}

/** Reasons that hold whether or not a job waits. */
const standing = new Set<Answer["code"]>([
  "endpoint_deleted",
  "no_credits",
  "budget_spent",
  "no_workers_allowed",
  "driver_missing",
  "volume_away",
  "no_capacity",
  "start_refused",
  "workers_unhealthy",
  "backing_off",
  "crash_loop",
]);

function capitalised(sentence: string): string {
  return `${sentence[0]!.toUpperCase()}${sentence.slice(1)}`;
}
