// The clock interface and its implementations. Nothing else reads the wall clock, so a test or a
// simulation can control time.
//
// It has two hands. An instant (`now`) is stored or shown: integer milliseconds since the epoch, from a clock that
// people and databases correct. A span is measured in ticks, which only count on: every rest, wait, back-off and
// time limit of this process. The difference of two readings of `now` is no span, and an architecture test
// refuses it.

import { guarded } from "./guarded.ts";

export interface Clock {
  /** The instant. It may be set back or forward at any time. */
  now(): number;
  /** Milliseconds since an arbitrary start; they never go back and are never set. */
  ticks(): number;
  /** Calls back once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
  /**
   * Another form of this clock, for polls and checks that come often: where time is advanced far, their timers may
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

/** Milliseconds since the process started, from a monotonic clock. */
export const systemTicks = (): number => performance.now();

export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: systemTicks,
  after(delayMs, callback) {
    const delay = Math.min(Math.max(0, delayMs), MAX_TIMER_MS);
    const timer = setTimeout(guarded("a timer", callback), delay);
    return () => clearTimeout(timer);
  },
};

/** For how many milliseconds the event loop has waited, of its process's life. */
export const idleTicks = (): number => performance.eventLoopUtilization().idle;

/** A time limit, in ticks. */
export class Deadline {
  readonly clock: Clock;
  readonly #end: number;

  constructor(clock: Clock, ms: number) {
    this.clock = clock;
    this.#end = clock.ticks() + ms;
  }

  /** 0 once it is over. */
  leftMs(): number {
    return Math.max(0, this.#end - this.clock.ticks());
  }

  isOver(): boolean {
    return this.leftMs() === 0;
  }
}

/** The result of a wait whose limit is over. */
export const LATE = Symbol("late");

/**
 * Waits for work until the deadline, or until `signal` aborts; the result is then LATE. The signal that the work gets aborts
 * once nothing waits for the work any more, or a part of it has failed.
 */
export async function within<T>(
  deadline: Deadline,
  work: (abandoned: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | typeof LATE> {
  if (signal?.aborted) return LATE;
  const abandoned = new AbortController();
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>();
  const giveUp = () => resolve(LATE);
  const limitMs = deadline.leftMs();
  const cancel =
    limitMs === Number.POSITIVE_INFINITY ? () => {} : deadline.clock.after(limitMs, giveUp);
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    const result = await Promise.race([work(abandoned.signal), late]);
    if (result === LATE) abandoned.abort();
    return result;
  } catch (error) {
    abandoned.abort();
    throw error;
  } finally {
    cancel();
    signal?.removeEventListener("abort", giveUp);
  }
}

/** How long to wait for a stored instant, as the clock stands now; 0 if it has passed. */
export function msUntil(clock: Clock, instant: number): number {
  return Math.max(0, instant - clock.now());
}

/** A clock that moves only when `advance` is called; due callbacks run in the order of their times. */
export class VirtualClock implements Clock {
  /** Ticks and instants are the same until `step` sets the instants apart. */
  #ticks: number;
  #stepMs = 0;
  #sequence = 0;
  #pending: { at: number; order: number; callback: () => void }[] = [];

  constructor(start = 1_800_000_000_000) {
    this.#ticks = start;
  }

  now(): number {
    return this.#ticks + this.#stepMs;
  }

  ticks(): number {
    return this.#ticks;
  }

  /** Sets the instants forward, or back, as an administrator sets a clock. No timer is due earlier or later. */
  step(byMs: number): void {
    this.#stepMs += byMs;
  }

  /** How many callbacks wait. */
  get pending(): number {
    return this.#pending.length;
  }

  after(delayMs: number, callback: () => void): () => void {
    const entry = { at: this.#ticks + Math.max(0, delayMs), order: this.#sequence++, callback };
    this.#pending.push(entry);
    return () => {
      this.#pending = this.#pending.filter((other) => other !== entry);
    };
  }

  /** Moves time forward, runs the callbacks that become due, and lets promises settle in between. */
  async advance(byMs: number): Promise<void> {
    const target = this.#ticks + byMs;
    for (;;) {
      await settle();
      const next = this.#pending
        .filter((entry) => entry.at <= target)
        .sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!next) break;
      this.#pending = this.#pending.filter((entry) => entry !== next);
      this.#ticks = Math.max(this.#ticks, next.at);
      next.callback();
    }
    this.#ticks = target;
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
