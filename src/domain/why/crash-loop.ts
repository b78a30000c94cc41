// The explanation of a crash loop: workers end before they have done anything, and starts are delayed.
// It is often mistaken for a lack of capacity.

import { endCauses } from "../container/end-cause.ts";
import { durationText } from "../duration.ts";
import type { Evidence, WorkerEnding } from "./answer.ts";
import { lastEndings, usualMeaning } from "./endings.ts";
import type { Explanation, QueueFacts, Rule } from "./facts.ts";
import { logCause } from "./log-cause.ts";

/** The back-off explains a wait if no worker is ready, or if it delays an additional one. */
export const backingOff: Rule = (facts) => {
  const { fleet, plan } = facts;
  const { verdict } = fleet.backOff;
  if (verdict === "ok") return null;
  const { idle, busy } = plan.reason.facts;
  const delaysStart = plan.reason.code === "crash_loop" || plan.reason.code === "backing_off";
  if (idle + busy > 0 && !delaysStart) return null;
  return { ...explainBackOff(facts, verdict), evidence: backOffEvidence(facts) };
};

function explainBackOff(facts: QueueFacts, verdict: "backing_off" | "crash_loop"): Explanation {
  const { fleet, ends, log } = facts;
  const [last] = ends;
  const again = nextStart(facts);
  if (last && last.unhealthy !== null && neverRan(last)) {
    const why = last.unhealthy.replace(/\.$/, "");
    return {
      code: last.cause ?? "start_refused",
      sentence: `its workers cannot be started: ${why}. ${again}`,
      next: last.cause
        ? endCauses[last.cause]
        : "Fix the endpoint's template; its change takes effect at once.",
    };
  }
  if (last?.cause === "out_of_memory") {
    return {
      code: last.cause,
      sentence: `worker ${last.workerId} was ended because it exceeded its memory limit. ${again}`,
      next: endCauses[last.cause],
    };
  }
  const cause = last && log?.workerId === last.workerId ? logCause(log.lines) : null;
  const meaning = last ? usualMeaning(last) : null;
  const capacityNote = "This is not a lack of capacity.";
  if (last && last.unhealthy !== null) {
    return {
      code: "workers_unhealthy",
      sentence: `worker ${last.workerId} could not serve: ${last.unhealthy}. ${again} ${capacityNote}`,
      next: "Fix what the worker reports, in its image or on the machine.",
    };
  }
  const { text, alike } = lastEndings(ends, cause);
  const tries = fleet.backOff.consecutive;
  return {
    code: verdict,
    sentence: [
      text,
      ...(meaning ? [meaning] : []),
      ...(tries > alike ? [`${tries} tries in a row failed.`] : []),
      again,
      capacityNote,
    ].join(" "),
    next: "Read the worker's log and fix its image or start command; a change takes effect at once.",
  };
}

/** A refused start has neither an exit code nor a signal, only a sentence. */
function neverRan({ exitCode, signal }: WorkerEnding): boolean {
  return exitCode === null && signal === null;
}

function nextStart({ fleet, plan }: QueueFacts): string {
  const leftMs = fleet.backOff.allowStartAt - fleet.now;
  if (plan.reason.facts.starting > 0) return "Another worker is starting.";
  return leftMs > 0
    ? `The next worker starts in ${durationText(leftMs)}.`
    : "The next worker starts now.";
}

function backOffEvidence({ fleet, ends, log }: QueueFacts): Evidence {
  const { allowStartAt } = fleet.backOff;
  return {
    ends,
    ...(log && log.lines.length > 0 && { log }),
    ...(allowStartAt > fleet.now && { startAllowedAt: allowStartAt }),
  };
}
