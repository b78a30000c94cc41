// The explanation of a Pod's state.

import { endCauses } from "../container/end-cause.ts";
import { durationText } from "../duration.ts";
import { gpuFaultText } from "../gpu/gpu-health.ts";
import { unhealthyGpusText } from "../gpu/node/node-gpus.ts";
import { parseShareType } from "../gpu-share/share-name.ts";
import { faultsOf, gpuNumbers, lossText, missingGpus } from "../machine/gpu-changes.ts";
import type { Inventory } from "../machine/inventory.ts";
import { type End, howEnded } from "../pod/after-end.ts";
import { overdueEndText } from "../pod/container/overdue-end.ts";
import type { Pod } from "../pod/pod.ts";
import { type Lender, lenderText } from "../reservation/lent.ts";
import { exemptionText } from "../usage/exemption.ts";
import { idleStopAt } from "../usage/idle.ts";
import { idlePolicyOf, policyText } from "../usage/idle-policy.ts";
import { lifetimeOf, lifetimeSource, lifetimeSpan, lifetimeStopAt } from "../usage/lifetime.ts";
import type { Answer } from "./answer.ts";
import { RESTART_ENGINE, usualMeaning, waitsForEngine } from "./endings.ts";
import type { BareReason } from "./facts.ts";
import { logCause } from "./log-cause.ts";

export interface PodFacts {
  pod: Pod;
  /** Whether its machine is online. */
  online: boolean;
  /** What its machine offers; null if it is not known. */
  inventory: Pick<
    Inventory,
    | "gpus"
    | "node"
    | "gpuTrouble"
    | "gpuFaults"
    | "gpuNumbers"
    | "gpuSlices"
    | "gpuShares"
    | "engineTrouble"
  > | null;
  /** The last error that a GPU reported while the Pod had it, in words; null for none. */
  gpuError: string | null;
  /** For how long its container has run since its end was requested; null while that is not overdue. */
  overdueEndMs: number | null;
  /** The last lines of its output. */
  log: string[];
  /** For whom a spot Pod may be interrupted. */
  lenders: readonly Lender[];
  /** Whether the caller may read the engine's own words, which can tell of the operator's network. */
  isOperator: boolean;
}

export function whyPod(facts: PodFacts, now: number): Answer {
  const { pod, log, isOperator, gpuError } = facts;
  const { failedStarts } = pod.backoff;
  const { code, sentence, next } = reasonOf(facts, now);
  const evidence = {
    ...(log.length > 0 && { log: { workerId: pod.id, lines: log } }),
    ...(failedStarts && { error: failedStarts.sentence }),
    ...(failedStarts?.cause && { cause: failedStarts.cause }),
  };
  const engine = isOperator ? failedStarts?.engine : undefined;
  const words =
    engine && !sentence.includes(engine) ? ` The engine says: ${withoutStop(engine)}.` : "";
  const onGpu = gpuError === null ? "" : ` ${gpuError}`;
  return { code, sentence: `Pod ${pod.id} ${sentence}${words}${onGpu}`, next, evidence };
}

function reasonOf(facts: PodFacts, now: number): BareReason {
  const { pod, overdueEndMs, log } = facts;
  if (overdueEndMs !== null) return whyNotEnding(pod, overdueEndMs);
  return pod.desired.state === "RUNNING" ? whyRunning(facts, now) : whyExited(pod, log, now);
}

function whyNotEnding({ desired, placement }: Pod, ms: number): BareReason {
  const outcome = desired.state === "RUNNING" ? "cannot start again" : "was stopped";
  const sentence =
    `${outcome}, but ${overdueEndText(ms)}, on machine ${placement.machine}. ` +
    "It is billed until it has ended.";
  return { code: "pod_not_ending", sentence, next: RESTART_ENGINE };
}

function whyRunning({ pod, online, inventory, log, lenders }: PodFacts, now: number): BareReason {
  const { startAt, failedStarts } = pod.backoff;
  if (!online) {
    const sentence = `should run on machine ${pod.placement.machine}, which is offline.`;
    return {
      code: "pod_machine_away",
      sentence,
      next: "Bring the machine back online; the Pod is not started anywhere else meanwhile.",
    };
  }
  if (inventory?.engineTrouble !== undefined && pod.placement.driver === "docker")
    return whyWithoutEngine(pod);
  const again = startAt > now ? `in ${durationText(startAt - now)}` : "now";
  if (pod.observed.state === "running") {
    const lost = inventory ? missingGpus(pod.placement, inventory) : [];
    if (lost.length > 0) return whyWithoutGpus(pod, lost, lossText(lost, inventory!));
    const faults = inventory ? faultsOf(pod.placement, inventory) : [];
    if (faults.length > 0) return whyOnFaultyGpus(pod, faults.map(gpuFaultText));
    const unhealthy = inventory?.node?.unhealthyGpus?.[pod.id];
    if (unhealthy) return whyOnFaultyGpus(pod, [unhealthyGpusText(unhealthy)]);
    const sentence = `has been running for ${durationText(now - pod.observed.startedAt)}.`;
    const lent = lenders.map((each) => ` ${lenderText(each)}`).join("");
    const more = `${shareSentence(pod)}${lent}${idleSentence(pod, now)}${lifetimeSentence(pod, now)}`;
    return { code: "pod_running", sentence: `${sentence}${more}`, next: null };
  }
  if (failedStarts) {
    const { count, cause, sentence: why } = failedStarts;
    const sentence = `failed to start ${count} times so far: ${withoutStop(why)}. The next try is ${again}.`;
    const next = cause
      ? endCauses[cause]
      : "Fix the image or the machine; the Pod itself needs no change.";
    return { code: "pod_start_failing", sentence, next };
  }
  if (pod.observed.state === "ended") {
    const sentence = `${endText(pod.observed.lastEnd, log, now)} The container starts again ${again}.`;
    return { code: "pod_backing_off", sentence, next: readLog };
  }
  const sentence = `was started ${durationText(now - pod.desired.changedAt)} ago, and its container is not running yet.`;
  return { code: "pod_starting", sentence, next: null };
}

function whyWithoutEngine({ placement: { machine }, observed }: Pod): BareReason {
  const sentence =
    observed.state === "running"
      ? `was running when the container engine of machine ${machine} last answered, which it does not now.`
      : `${waitsForEngine(machine)}.`;
  return { code: "engine_silent", sentence, next: RESTART_ENGINE };
}

function shareSentence({ placement }: Pod): string {
  const share = parseShareType(placement.gpuTypeId ?? "");
  if (!share) return "";
  return (
    ` It has a share of a GPU, which up to ${share.count} workloads use by turns: ` +
    `its ${share.memoryInGb} GB of memory are ${share.mps ? "the limit that MPS sets for its programs" : "declared and not enforced"}.`
  );
}

function idleSentence(pod: Pod, now: number): string {
  if (pod.exemption) return ` It ${exemptionText(pod.exemption)}.`;
  const policy = idlePolicyOf(pod);
  if (policy === null)
    return pod.desired.stopWhenIdle === "never" ? " It is never stopped for being idle." : "";
  const { idleSince } = pod;
  const whose = policyText(policy);
  if (idleSince === null)
    return ` It stops once it was idle for ${policy.rule.minutes} min${whose}.`;
  const left = durationText(Math.max(0, idleStopAt(policy.rule, idleSince) - now));
  const age =
    idleSince > now
      ? `is kept for ${durationText(idleSince - now)} more`
      : `has been idle for ${durationText(now - idleSince)}`;
  return ` It ${age}, and stops in ${left} unless it is used${whose}.`;
}

function lifetimeSentence(pod: Pod, now: number): string {
  const policy = lifetimeOf(pod)?.policy;
  const stopsAt = lifetimeStopAt(pod);
  if (!policy || stopsAt === null) return "";
  const left = durationText(Math.max(0, stopsAt - now));
  const unless = policy.extendable ? " unless it is kept" : "";
  return ` It may run for ${lifetimeSpan(policy)} after its start${lifetimeSource(policy)}, and stops in ${left}${unless}.`;
}

function whyWithoutGpus({ placement }: Pod, lost: number[], trouble: string | null): BareReason {
  const cause = trouble === null ? "" : `: ${withoutStop(trouble)}`;
  return {
    code: "pod_gpu_lost",
    sentence: `runs, and its ${gpuNumbers(lost)} cannot be read any more${cause}.`,
    next: `Save what it has not saved, and stop it. The operator has to repair machine ${placement.machine}.`,
  };
}

function whyOnFaultyGpus({ placement }: Pod, faults: string[]): BareReason {
  return {
    code: "pod_gpu_unhealthy",
    sentence: `runs on a GPU that is out of service: ${faults.join("; ")}.`,
    next: `Save what it has not saved. Machine ${placement.machine} gives that GPU to nothing new; the operator has to repair it.`,
  };
}

const readLog = "Read its log and fix its image or start command.";
const startAgain = "Start it again, if it should run.";

function whyExited(pod: Pod, log: string[], now: number): BareReason {
  const ago = `${durationText(now - pod.desired.changedAt)} ago`;
  switch (pod.desired.cause) {
    case "finished": {
      const sentence = `finished ${ago}: its container ended with exit code 0.`;
      return { code: "pod_finished", sentence, next: startAgain };
    }
    case "gave_up": {
      const neverStarted = pod.backoff.failedStarts !== null;
      const cause = neverStarted ? null : logCause(log);
      const detail = cause === null ? "" : ` (${cause})`;
      const meaning = neverStarted ? null : usualMeaning(pod.observed.lastEnd ?? unknownEnd);
      const because = `${withoutStop(pod.desired.reason)}${detail}.${meaning ? ` ${meaning}` : ""}`;
      const sentence = `was stopped ${ago}: ${because}`;
      const startCause = pod.backoff.failedStarts?.cause;
      const fix = startCause ? endCauses[startCause] : readLog;
      return { code: "pod_gave_up", sentence, next: `${fix} Then start it again.` };
    }
    case "disk_full": {
      const sentence = `was stopped ${ago}: ${withoutStop(pod.desired.reason)}.`;
      return { code: "pod_disk_full", sentence, next: "Increase its disk, and start it again." };
    }
    case "gpu_quarantined": {
      const sentence = `was stopped ${ago}: ${withoutStop(pod.desired.reason)}; its volume is kept.`;
      const next = "Start it again: it gets another GPU of its machine, if one is free.";
      return { code: "pod_gpu_quarantined", sentence, next };
    }
    case "idle": {
      const sentence = `was stopped ${ago}: ${withoutStop(pod.desired.reason)}; its volume is kept.`;
      return { code: "pod_idle", sentence, next: startAgain };
    }
    case "max_lifetime": {
      const sentence = `was stopped ${ago}: ${withoutStop(pod.desired.reason)}; its volume is kept.`;
      return { code: "pod_max_lifetime", sentence, next: startAgain };
    }
    case "stop_after": {
      const sentence = `was stopped ${ago}: ${withoutStop(pod.desired.reason)}.`;
      return { code: "pod_stop_after", sentence, next: startAgain };
    }
    case "no_credits": {
      const sentence = `was stopped ${ago}: ${withoutStop(pod.desired.reason)}; its volume is kept for now.`;
      return { code: "pod_no_credits", sentence, next: "Add credits, and start it again." };
    }
    case "account_disabled": {
      const sentence = `was stopped ${ago}: ${withoutStop(pod.desired.reason)}; its volume is kept.`;
      return { code: "pod_account_disabled", sentence, next: startAgain };
    }
    case "budget_spent": {
      const sentence = `was stopped ${ago}: ${withoutStop(pod.desired.reason)}; its volume is kept.`;
      const next = "Raise the budget's limit, or wait for its next period, and start it again.";
      return { code: "pod_budget_spent", sentence, next };
    }
    case "evicted": {
      const sentence = `was stopped ${ago}: ${withoutStop(pod.desired.reason)}; its volume is kept.`;
      const next =
        "Start it again once resources are free, or create a Pod that is not interruptible.";
      return { code: "pod_evicted", sentence, next };
    }
    default: {
      const sentence = `was stopped by a client ${ago}; its volume is kept.`;
      return { code: "pod_stopped", sentence, next: startAgain };
    }
  }
}

const unknownEnd = { exitCode: null, signal: null };

function endText(end: End, log: string[], now: number): string {
  const cause = logCause(log);
  const ending = `ended ${howEnded(end)}`;
  const detail = cause === null || cause === ending ? "" : ` (${cause})`;
  return `${ending}, ${durationText(now - end.at)} ago${detail}.`;
}

/** Removes a final full stop. */
const withoutStop = (text: string | null) => (text ?? "the cause is unknown").replace(/\.$/, "");
