// Probes of a GPU driver, which may hang: its programs then cannot be killed.

import { pause, systemClock } from "../../base/clock.ts";

/** How long an answer is waited for. */
export const ANSWER_MS = 20_000;

/** Returns a function that probes. While a probe hangs no other starts beside it, and the answer is `late`. */
export function singleProbe<T>(probe: () => Promise<T>, late: T): () => Promise<T> {
  let pending: Promise<T> | null = null;
  return async () => {
    pending ??= probe().finally(() => {
      pending = null;
    });
    const answered = new AbortController();
    const timeout = pause(systemClock, ANSWER_MS, answered.signal).then(() => late);
    return Promise.race([pending, timeout]).finally(() => answered.abort());
  };
}
