// Why a Pod is as it is.

import { howEnded } from "../pod/after-end.ts";
import type { Pod } from "../pod/pod.ts";
import { spanText } from "../span.ts";
import { endCauses } from "../worker/end-cause.ts";
import type { Answer } from "./answer.ts";
import type { WhyCode } from "./codes.ts";
import { usualMeaning } from "./endings.ts";
import { logCause } from "./log-cause.ts";

export interface PodSeen {
  pod: Pod;
  /** Whether its machine was heard of lately. */
  online: boolean;
  /** The last lines it printed. */
  log: string[];
}

interface Telling {
  code: WhyCode;
  sentence: string;
  next: string | null;
}

export function whyPod({ pod, online, log }: PodSeen, now: number): Answer {
  const { code, sentence, next } =
    pod.state === "RUNNING" ? whyRunning(pod, online, log, now) : whyExited(pod, log, now);
  const evidence = {
    ...(log.length > 0 && { log: { workerId: pod.id, lines: log } }),
    ...(pod.trouble !== null && { error: pod.trouble }),
    ...(pod.troubleCause !== null && { cause: pod.troubleCause }),
  };
  return { code, sentence: `Pod ${pod.id} ${sentence}`, next, evidence };
}

function whyRunning(pod: Pod, online: boolean, log: string[], now: number): Telling {
  const { observed, startedAt, failedStarts, trouble, startAt } = pod;
  if (!online) {
    const sentence = `is wanted to run on machine ${pod.machine}, which has not been heard of lately.`;
    return { code: "pod_machine_away", sentence, next: "See to that machine; nothing is doubled." };
  }
  const again = startAt > now ? `in ${spanText(startAt - now)}` : "now";
  if (observed === "running") {
    const sentence = `has been running for ${spanText(now - (startedAt ?? now))}.`;
    return { code: "pod_running", sentence, next: null };
  }
  if (failedStarts > 0) {
    const sentence = `could not be started ${failedStarts} times so far: ${bare(trouble)}. It is tried again ${again}.`;
    const next = pod.troubleCause
      ? endCauses[pod.troubleCause]
      : "Mend what is said of the image or the machine; the Pod need not be touched.";
    return { code: "pod_start_failing", sentence, next };
  }
  if (observed === "ended") {
    const sentence = `${endText(pod, log, now)} Its container is started again ${again}.`;
    return { code: "pod_backing_off", sentence, next: readIt };
  }
  const sentence = `was asked to run ${spanText(now - pod.changedAt)} ago, and its container is on its way up.`;
  return { code: "pod_starting", sentence, next: null };
}

const readIt = "Read its log and mend its image or start command.";
const startIt = "Start it again, if it should run.";

function whyExited(pod: Pod, log: string[], now: number): Telling {
  const ago = `${spanText(now - pod.changedAt)} ago`;
  switch (pod.cause) {
    case "finished": {
      const sentence = `is EXITED since ${ago}: its container ended with exit code 0.`;
      return { code: "pod_finished", sentence, next: startIt };
    }
    case "gave_up": {
      const cause = pod.trouble === null ? logCause(log) : null;
      const said = cause === null ? "" : ` (${cause})`;
      const meaning = pod.trouble === null ? usualMeaning(pod) : null;
      const because = `${bare(pod.reason)}${said}.${meaning ? ` ${meaning}` : ""}`;
      const sentence = `is EXITED since ${ago}: ${because}`;
      return { code: "pod_gave_up", sentence, next: `${readIt} Then start it again.` };
    }
    case "disk_full": {
      const sentence = `was stopped ${ago}: ${bare(pod.reason)}.`;
      return { code: "pod_disk_full", sentence, next: "Give it more disk, and start it again." };
    }
    case "stop_after": {
      const sentence = `was stopped ${ago}, for ${bare(pod.reason)}.`;
      return { code: "pod_stop_after", sentence, next: startIt };
    }
    case "no_credits": {
      const sentence = `was stopped ${ago}: ${bare(pod.reason)}; its volume is kept for now.`;
      return { code: "pod_no_credits", sentence, next: "Add credits, and start it again." };
    }
    case "account_disabled": {
      const sentence = `was stopped ${ago}: ${bare(pod.reason)}; its volume is kept.`;
      return { code: "pod_account_disabled", sentence, next: startIt };
    }
    case "budget_spent": {
      const sentence = `was stopped ${ago}: ${bare(pod.reason)}; its volume is kept.`;
      const next = "Raise the budget's limit, or wait for its next period, and start it again.";
      return { code: "pod_budget_spent", sentence, next };
    }
    case "evicted": {
      const sentence = `was stopped ${ago}: ${bare(pod.reason)}; its volume is kept.`;
      const next = "Start it again when there is room, or rent one that is not interruptible.";
      return { code: "pod_evicted", sentence, next };
    }
    default: {
      const sentence = `was stopped by a client ${ago}; its volume is kept.`;
      return { code: "pod_stopped", sentence, next: startIt };
    }
  }
}

function endText(pod: Pod, log: string[], now: number): string {
  const cause = logCause(log);
  const said = cause === null ? "" : ` (${cause})`;
  return `ended ${howEnded(pod)} ${spanText(now - (pod.endedAt ?? now))} ago${said}.`;
}

/** Without the full stop that a sentence brought along. */
const bare = (text: string | null) => (text ?? "nobody knows why").replace(/\.$/, "");
