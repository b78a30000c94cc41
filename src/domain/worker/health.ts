// Decides whether a running worker is unable to serve. Pure.

import type { Protocol } from "../protocol.ts";

export interface RunningSigns {
  startedAt: number;
  readyAt: number | null;
  pingedAt: number | null;
  pingVersion: string | null;
  seenAt: number | null;
  jobsHeld: number;
  draining: boolean;
}

/** Why it cannot serve, as a sentence; null for a worker without a known problem. */
export function judgeHealth(
  worker: RunningSigns,
  now: number,
  times: Pick<Protocol, "startupMs" | "silentMs">,
): string | null {
  if (worker.draining) return null;
  if (worker.readyAt === null) {
    if (now < worker.startedAt + times.startupMs) return null;
    return `it did not ask for a job within ${Math.round(times.startupMs / 1_000)} s of its start`;
  }
  const seenAt = Math.max(worker.seenAt ?? 0, worker.readyAt);
  if (now < seenAt + times.silentMs) return null;
  const seconds = Math.round((now - seenAt) / 1_000);
  // A busy worker with an old SDK may not ping while its handler runs; an idle worker must poll.
  const pingsByItself = worker.pingVersion !== null && worker.pingedAt !== null;
  return worker.jobsHeld === 0 || pingsByItself ? `it has been silent for ${seconds} s` : null;
}
