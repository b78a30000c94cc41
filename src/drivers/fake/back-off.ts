// How long a fake worker waits before it polls again, so that no server, and no virtual clock, is
// ever asked in a tight loop.
import type { Reply } from "./exchange.ts";

/** An empty answer that comes at once must not bring the next question at once. */
const EMPTY_FLOOR_MS = 1000;
const TOO_MANY_MS = 5000;
const FIRST_FAILURE_MS = 500;
const LONGEST_FAILURE_MS = 30_000;

export class BackOff {
  #failures = 0;

  /** After a poll that took `tookMs`; only one that brought nothing needs to wait. */
  delayMs(reply: Reply | null, tookMs: number): number {
    if (reply && reply.status < 400) {
      this.#failures = 0;
      return Math.max(0, EMPTY_FLOOR_MS - tookMs);
    }
    if (reply?.status === 429) return TOO_MANY_MS;
    const delay = Math.min(FIRST_FAILURE_MS * 2 ** this.#failures, LONGEST_FAILURE_MS);
    this.#failures++;
    return delay;
  }
}
