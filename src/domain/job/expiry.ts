// What time does to a job in progress. Pure: the job, what is known of its worker, and now.

import type { Protocol } from "../protocol.ts";

export interface Held {
  takenAt: number;
  leaseUntil: number;
  ttlAt: number;
  executionMs: number;
  /** How often it was lost and dispatched again already. */
  retries: number;
  /** What is known of the worker that holds it; null where there is no such worker any more. */
  worker: HolderSigns | null;
}

export interface HolderSigns {
  ended: boolean;
  /** True where we asked a worker that was well to end: its end is then no loss. */
  endAsked: boolean;
  pingedAt: number | null;
  /** The SDK version its pings carry. From 1.7 on pings come by themselves, whatever the handler does. */
  pingVersion: string | null;
  /** When it last said, by a poll, that it holds nothing. */
  polledIdleAt: number | null;
  seenAt: number | null;
  /** Since when we were there to be told: a worker could not take back what its last ping said before. */
  watchedSince: number;
}

export type Verdict =
  | { event: "none" }
  | { event: "overrun" | "expire" }
  | { event: "lose" | "giveUp"; evidence: string }
  | { event: "giveBack"; evidence: string };

type Times = Pick<Protocol, "leaseMs" | "silentMs">;

export function judgeHeld(held: Held, now: number, times: Times): Verdict {
  if (now >= held.takenAt + held.executionMs) return { event: "overrun" };
  if (now >= held.ttlAt) return { event: "expire" };
  if (!held.worker) return lost(held, "its worker is gone");
  if (held.worker.ended) {
    const evidence = "its worker ended while it held the job";
    return held.worker.endAsked ? { event: "giveBack", evidence } : lost(held, evidence);
  }
  const evidence = silence(held, held.worker, now, times);
  return evidence ? lost(held, evidence) : { event: "none" };
}

function lost(held: Held, evidence: string): Verdict {
  return { event: held.retries === 0 ? "lose" : "giveUp", evidence };
}

/** Why the job must be taken for lost although its worker runs, or null if it need not be. */
function silence(held: Held, worker: HolderSigns, now: number, times: Times): string | null {
  if (now < held.leaseUntil) return null;
  const listedAt = held.leaseUntil - times.leaseMs;
  // The first second of a hold is the poll's own: it set out before the job was handed over.
  const heldSince = held.takenAt + 1_000;
  const listable = Math.max(listedAt, heldSince, worker.watchedSince);
  if (worker.pingedAt !== null && worker.pingedAt > listable) {
    return "its worker pings but does not list the job";
  }
  if (worker.polledIdleAt !== null && worker.polledIdleAt > heldSince) {
    return "its worker asks for work and says that it holds nothing";
  }
  const pingsByItself = worker.pingVersion !== null && worker.pingedAt !== null;
  if (pingsByItself && worker.seenAt !== null && now >= worker.seenAt + times.silentMs) {
    return "its worker has fallen silent";
  }
  return null;
}
