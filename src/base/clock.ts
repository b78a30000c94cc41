// Time as a value that is passed in: nothing else in the product reads the wall clock, so a test or
// a simulation can own it. Instants are integer milliseconds since the epoch.

export interface Clock {
  now(): number;
  /** Calls back once after `delayMs`; the function returned calls it off. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Node cannot count further than this in one timer; longer delays would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** Milliseconds since the process began, by a count that nobody can set. */
export const systemTicks = (): number => performance.now();

/** A clock that stands still until it is told to move; due callbacks run in order of their time. */
export class VirtualClock implements Clock {
  #now: number;
  #sequence = 0;
  #pending: { at: number; order: number; callback: () => void }[] = [];

  constructor(start = 1_800_000_000_000) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, callback: () => void): () => void {
    const entry = { at: this.#now + Math.max(0, delayMs), order: this.#sequence++, callback };
    this.#pending.push(entry);
    return () => {
      this.#pending = this.#pending.filter((other) => other !== entry);
    };
  }

  /** Moves time forward, running what falls due on the way and letting promises settle between. */
  async advance(byMs: number): Promise<void> {
    const target = this.#now + byMs;
    for (;;) {
      await settle();
      const next = this.#pending
        .filter((entry) => entry.at <= target)
        .sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!next) break;
      this.#pending = this.#pending.filter((entry) => entry !== next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = target;
    await settle();
  }
}

/** Lets everything that is ready to run do so, a store's turn included. */
async function settle(): Promise<void> {
  for (let i = 0; i < 4; i++) await nextTurn();
}

/** Lets everything else that is ready go first; for work that comes in pieces. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Resolves after `delayMs`, or at once when the signal aborts; never rejects. */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(delayMs, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}
