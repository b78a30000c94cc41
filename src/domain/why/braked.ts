// The brake on starts, told in words: workers that end before they have done anything. It is what
// most people take for a lack of capacity, and never is.

import { spanText } from "../span.ts";
import { endCauses } from "../worker/end-cause.ts";
import type { Evidence, WorkerEnding } from "./answer.ts";
import { lastEndings, usualMeaning } from "./endings.ts";
import type { QueueFacts, Rule, Said } from "./facts.ts";
import { logCause } from "./log-cause.ts";

/** The brake explains a wait where nobody is ready to prove it wrong, or where it holds back help. */
export const braked: Rule = (facts) => {
  const { fleet, plan } = facts;
  const { verdict } = fleet.brake;
  if (verdict === "ok") return null;
  const { idle, busy } = plan.reason.facts;
  const holds = plan.reason.code === "crash_loop" || plan.reason.code === "backing_off";
  if (idle + busy > 0 && !holds) return null;
  return { ...braking(facts, verdict), evidence: brakeEvidence(facts) };
};

function braking(facts: QueueFacts, verdict: "backing_off" | "crash_loop"): Said {
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
        : "Mend the endpoint's template; its change takes effect at once.",
    };
  }
  if (last?.cause === "out_of_memory") {
    return {
      code: last.cause,
      sentence: `worker ${last.workerId} was ended for using more memory than it may. ${again}`,
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
      next: "Mend what the worker reports, in its image or on the machine.",
    };
  }
  const { text, alike } = lastEndings(ends, cause);
  const tries = fleet.brake.consecutive;
  return {
    code: verdict,
    sentence: [
      text,
      ...(meaning ? [meaning] : []),
      ...(tries > alike ? [`${tries} tries in a row came to nothing.`] : []),
      again,
      capacityNote,
    ].join(" "),
    next: "Read the worker's log and mend its image or start command; a change takes effect at once.",
  };
}

/** A start that was refused leaves neither a code nor a signal, only the sentence. */
function neverRan({ exitCode, signal }: WorkerEnding): boolean {
  return exitCode === null && signal === null;
}

function nextStart({ fleet, plan }: QueueFacts): string {
  const leftMs = fleet.brake.allowStartAt - fleet.now;
  if (plan.reason.facts.starting > 0) return "Another one is starting.";
  return leftMs > 0
    ? `The next one is started in ${spanText(leftMs)}.`
    : "The next one starts now.";
}

function brakeEvidence({ fleet, ends, log }: QueueFacts): Evidence {
  const { allowStartAt } = fleet.brake;
  return {
    ends,
    ...(log && log.lines.length > 0 && { log }),
    ...(allowStartAt > fleet.now && { startAllowedAt: allowStartAt }),
  };
}
