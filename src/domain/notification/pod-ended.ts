// The event for a Pod that ended without a client's request. Pure.

import { howEnded } from "../pod/after-end.ts";
import type { Pod, PodCause } from "../pod/pod.ts";
import { type AccountEvent, accountEvent, named } from "./event.ts";

interface PodEnd {
  to: "EXITED" | "TERMINATED";
  cause: PodCause;
  reason: string | null;
  at: number;
}

/** Causes for which the end of the container is the reason. */
const ownEnds: ReadonlySet<PodCause> = new Set<PodCause>(["finished", "gave_up"]);

/** `pod` is as observed last. */
export function podEnded({ id, name, observed, placement }: Pod, end: PodEnd): AccountEvent {
  const { to, cause, reason, at } = end;
  const { exitCode, signal, oom } = (ownEnds.has(cause) && observed.lastEnd) || noEnd;
  return accountEvent({
    type: "pod_ended",
    at,
    summary: `Pod ${named(name, id)} ${whatHappened(end, { exitCode, signal, oom })}.`,
    resource: { type: "pod", id, name },
    details: {
      desiredStatus: to,
      cause,
      reason,
      exitCode,
      signal,
      outOfMemory: oom,
      machineId: placement.machine,
    },
  });
}

const noEnd = { exitCode: null, signal: null, oom: false };

function whatHappened(
  { to, cause, reason }: PodEnd,
  end: typeof noEnd | Parameters<typeof howEnded>[0],
) {
  if (cause === "finished") return `finished ${howEnded(end)}`;
  const what = to === "TERMINATED" ? "was deleted" : "was stopped";
  return reason === null ? what : `${what}: ${reason}`;
}
