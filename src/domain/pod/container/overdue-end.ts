// A container that should have ended long ago: SIGKILL did not end it, or its engine does not say so. Pure.

import { durationText } from "../../duration.ts";
import type { Pod } from "../pod.ts";

/** The instants of an end that was requested, and the limits of the time that it may take. */
export interface EndLimits {
  endGraceMs: number;
  endOverdueMs: number;
}

/** The latest request for an end of which nothing is to be seen now is overdue. */
export const overdueSince = (now: number, { endGraceMs, endOverdueMs }: EndLimits): number =>
  now - endGraceMs - endOverdueMs;

/** For how long its container has run since its end was requested; null while that is not overdue. */
export function overdueEndMs(
  { desired, observed }: Pick<Pod, "desired" | "observed">,
  now: number,
  limits: EndLimits,
): number | null {
  const { state, generation, changedAt } = desired;
  const isWanted = state === "RUNNING" && observed.startedGeneration === generation;
  if (isWanted || observed.state !== "running") return null;
  return changedAt < overdueSince(now, limits) ? now - changedAt : null;
}

/** For how long a worker has run since it was signalled; null while that is not overdue. */
export function overdueSignalMs(
  { signalledAt }: { signalledAt: number | null },
  now: number,
  limits: EndLimits,
): number | null {
  return signalledAt !== null && signalledAt < overdueSince(now, limits) ? now - signalledAt : null;
}

export const overdueEndText = (ms: number): string =>
  `its container has not ended ${durationText(ms)} after its end was requested`;
