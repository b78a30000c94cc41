// When a running worker must be taken for unable to serve. Pure.

import type { Protocol } from "../protocol.ts";

export interface RunningSigns {
  startedAt: number;
  readyAt: number | null;
  pingedAt: number | null;
  pingVersion: string | null;
  seenAt: number | null;
  held: number;
  draining: boolean;
}

/** The sentence that says why, or null for one that is well as far as anybody knows. */
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
  // One that holds a job may be old, and its handler may block its pings; an idle one must poll.
  const pingsByItself = worker.pingVersion !== null && worker.pingedAt !== null;
  return worker.held === 0 || pingsByItself ? `it has been silent for ${seconds} s` : null;
}
