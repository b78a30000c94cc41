// The back-off of a simulated worker's polls, so that it never polls a server, or a virtual clock, in a
// tight loop.

import type { Reply } from "./transport.ts";

/** The shortest time between two polls when the server answers at once with no job. */
const MIN_EMPTY_POLL_MS = 1000;
const TOO_MANY_MS = 5000;
const FIRST_FAILURE_MS = 500;
const MAX_FAILURE_MS = 30_000;

export class BackOff {
  #failures = 0;

  /** The pause after a poll without a job that took `tookMs`. */
  delayMs(reply: Reply | null, tookMs: number): number {
    if (reply && reply.status < 400) {
      this.#failures = 0;
      return Math.max(0, MIN_EMPTY_POLL_MS - tookMs);
    }
    if (reply?.status === 429) return TOO_MANY_MS;
    const delay = Math.min(FIRST_FAILURE_MS * 2 ** this.#failures, MAX_FAILURE_MS);
    this.#failures++;
    return delay;
  }
}
