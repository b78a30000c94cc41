// Probes of a GPU driver, which may hang: its programs then cannot be killed.

import { Deadline, LATE, systemClock, within } from "../../base/clock.ts";

/** How long an answer is waited for. */
export const ANSWER_MS = 20_000;

/**
 * Returns a function that probes. While a probe hangs no other starts beside it, and the answer is `late`; what a late
 * probe says in the end is the answer of the next call.
 */
export function singleProbe<T, Late>(
  probe: () => Promise<T>,
  late: Late,
  answerMs = ANSWER_MS,
): () => Promise<T | Late> {
  let pending: Promise<T> | null = null;
  return async () => {
    pending ??= probe();
    const current = pending;
    let isLate = false;
    try {
      const answer = await within(new Deadline(systemClock, answerMs), () => current);
      isLate = answer === LATE;
      return answer === LATE ? late : answer;
    } finally {
      if (!isLate && pending === current) pending = null;
    }
  };
}
