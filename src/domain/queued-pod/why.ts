// The explanation of a request that waits in line, or left the line without a Pod.

import { capitalize } from "../../base/text/capitalize.ts";
import { durationText } from "../duration.ts";
import { type GuaranteeStanding, standingText } from "../guarantee/standing.ts";
import type { Answer } from "../why/answer.ts";
import type { QueuedPod } from "./queued-pod.ts";
import type { Waiting } from "./waiting.ts";

interface QueuedFacts {
  pod: Pick<QueuedPod, "id" | "queuedAt" | "waiting" | "refusal" | "owner">;
  /** How many requests come before it; null if it left the line. */
  ahead: number | null;
  /** Null without GPUs. */
  standing: GuaranteeStanding | null;
  /** The member that asks; null for a key of the account. */
  callerId: string | null;
}

export function whyQueuedPod(facts: QueuedFacts, now: number): Answer {
  const { pod, ahead, standing } = facts;
  const { id, queuedAt, waiting, refusal } = pod;
  if (refusal) {
    const reason = refusal.reason.replace(/\.$/, "");
    const sentence = `Pod ${id} left the line ${durationText(now - refusal.at)} ago without being created: ${reason}.`;
    return { code: "pod_refused", sentence, next: "Create it again.", evidence: {} };
  }
  const wait = `Pod ${id} has waited in line for ${durationText(now - queuedAt)}`;
  const behind = ahead ? `behind ${ahead === 1 ? "1 other" : `${ahead} others`}` : null;
  const place = standing
    ? `: ${standingText(standing, holderOf(facts))}, next in line${behind ? ` ${behind}` : ""}`
    : ` ${behind ?? "and is next"}`;
  const sentence = `${wait}${place}. ${capitalize(waiting.sentence)}`;
  const next = `It is created ${endOf(waiting)}. Delete it to leave the line.`;
  return { code: "pod_queued", sentence, next, evidence: { ...(standing && { standing }) } };
}

function holderOf({ pod: { owner }, callerId }: QueuedFacts): string {
  if (!owner) return "the account holds";
  return owner.id === callerId ? "you hold" : `${owner.name} holds`;
}

/** What ends the wait. */
function endOf(waiting: Waiting): string {
  switch (waiting.code) {
    case "no_capacity":
      return "once there is room";
    case "no_credits":
      return "once the account has credits";
    case "budget_spent":
      return "when the budget's next period begins or its limit rises";
    case "quota_exceeded": {
      const { of, measure } = waiting.limit;
      if (measure === "volumeGb") return `when volumes of the ${of} are deleted or its limit rises`;
      return `when other Pods or workers of the ${of} end or its limit rises`;
    }
  }
}
