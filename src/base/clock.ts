// The clock interface and its implementations. Nothing else reads the wall clock, so a test or a
// simulation can control time. Instants are integer milliseconds since the epoch.

import { guarded } from "./guarded.ts";

export interface Clock {
  now(): number;
  /** Calls back once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
  /**
   * The same clock for polls and checks that come often: where time is advanced far, their timers may
   * fire late. Absent if every timer fires in time.
   */
  readonly routine?: Clock;
  /** The instant to which time last jumped. Nothing could call or be heard before it. */
  readonly jumpedTo?: number;
}

/** The clock for polls and checks that come often. */
export const routineOf = (clock: Clock): Clock => clock.routine ?? clock;

/** The longest delay of a Node timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const delay = Math.min(Math.max(0, delayMs), MAX_TIMER_MS);
    const timer = setTimeout(guarded("a timer", callback), delay);
    return () => clearTimeout(timer);
  },
};

/** Milliseconds since the process started, from a monotonic clock. */
export const systemTicks = (): number => performance.now();

/** For how many milliseconds the event loop has waited, of its process's life. */
export const idleTicks = (): number => performance.eventLoopUtilization().idle;

/** A clock that moves only when `advance` is called; due callbacks run in the order of their times. */
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

  /** Moves time forward, runs the callbacks that become due, and lets promises settle in between. */
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

/** Lets everything that is ready run, including a store's batch. */
async function settle(): Promise<void> {
  for (let i = 0; i < 4; i++) await yieldToEventLoop();
}

/** Lets other ready work run first; for long work that is done in parts. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Resolves after `delayMs`, or when the signal aborts; never rejects. */
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
