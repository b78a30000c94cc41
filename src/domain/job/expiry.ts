// What time does to a job in progress. Pure: the job, what is known of its worker, and now.

import type { Protocol } from "../protocol.ts";

export interface Held {
  takenAt: number;
  leaseUntil: number;
  ttlAt: number;
  executionMs: number;
  /** How often it was lost and dispatched again already. */
  retries: number;
  /** Since when we were there to be called without a gap: a silence of before was ours, not the worker's. */
  watchedSince: number;
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
  return silence(held, held.worker, now, times);
}

function lost(held: Held, evidence: string): Verdict {
  return { event: held.retries === 0 ? "lose" : "giveUp", evidence };
}

/** Whether the job must be taken back although its worker runs. */
function silence(held: Held, worker: HolderSigns, now: number, times: Times): Verdict {
  const { takenAt, watchedSince } = held;
  // Nobody could renew it while we were away.
  const leaseUntil = Math.max(held.leaseUntil, watchedSince + times.leaseMs);
  if (now < leaseUntil) return { event: "none" };
  const without = goesOnWithout(held, worker, leaseUntil - times.leaseMs);
  // A worker drops a result that nobody takes: where that may have been our fault, it is no loss.
  if (without !== null && takenAt < watchedSince) {
    return { event: "giveBack", evidence: `${without}, since we were away` };
  }
  if (without !== null) return lost(held, without);
  const pingsByItself = worker.pingVersion !== null && worker.pingedAt !== null;
  const seenAt = Math.max(worker.seenAt ?? 0, watchedSince);
  if (pingsByItself && now >= seenAt + times.silentMs) {
    return lost(held, "its worker has fallen silent");
  }
  return { event: "none" };
}

/** What shows that its worker does not have it, or null. */
function goesOnWithout({ takenAt }: Held, worker: HolderSigns, listedAt: number): string | null {
  // The first second of a hold is the poll's own: it set out before the job was handed over.
  const heldSince = takenAt + 1_000;
  if (worker.pingedAt !== null && worker.pingedAt > Math.max(listedAt, heldSince)) {
    return "its worker pings but does not list the job";
  }
  if (worker.polledIdleAt !== null && worker.polledIdleAt > heldSince) {
    return "its worker asks for work and says that it holds nothing";
  }
  return null;
}
