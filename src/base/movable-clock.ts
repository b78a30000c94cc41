// A clock that follows another one, and that can be moved forward: then time passes in steps, from one
// due timer to the next, and everything that a timer causes settles before the next one fires. It counts the ticks
// of the followed clock, so that instants and ticks are one number and move together.

import type { Clock } from "./clock.ts";

/** Routine timers fire at most so often during one move, however far it leads. */
const MAX_STRETCHES = 24;
const MIN_STRETCH_MS = 5_000;
/** Routine timers that are due so soon are rests between two passes: they end at once. */
const REST_MS = 100;
/** How often the timers of one instant are looked at again: two loops could keep each other awake. */
const MAX_ROUNDS = 30;

interface Timer {
  at: number;
  isRoutine: boolean;
  callback: () => void;
  /** Stops the timer of the followed clock; null while time is moved. */
  disarm: (() => void) | null;
}

export interface TimeMove {
  /** Resolves once what the last timers caused has settled. */
  settle: () => Promise<void>;
  /** Whether workers are taken to have been silent meanwhile. */
  silent: boolean;
}

export class MovableClock implements Clock {
  readonly routine: Clock;
  readonly #followed: Clock;
  readonly #timers = new Set<Timer>();
  /** What the ticks of the followed clock lack to this clock's instant. */
  #offsetMs: number;
  #movedTo: number | null = null;
  #jumpedTo = 0;

  /** `leadMs` is how far it is ahead of the followed clock. */
  constructor(followed: Clock, leadMs = 0) {
    this.#followed = followed;
    this.#offsetMs = Math.round(followed.now() - followed.ticks()) + leadMs;
    this.routine = {
      now: () => this.now(),
      ticks: () => this.now(),
      after: (delayMs, callback) => this.#add(delayMs, callback, true),
    };
  }

  now(): number {
    return this.#movedTo ?? Math.floor(this.#followed.ticks()) + this.#offsetMs;
  }

  ticks(): number {
    return this.now();
  }

  get jumpedTo(): number {
    return this.#jumpedTo;
  }

  get leadMs(): number {
    return Math.max(0, this.now() - this.#followed.now());
  }

  after(delayMs: number, callback: () => void): () => void {
    return this.#add(delayMs, callback, false);
  }

  /** Moves time forward to the instant, and lets it flow again from there. */
  async moveTo(target: number, { settle, silent }: TimeMove): Promise<void> {
    this.#movedTo = this.now();
    for (const timer of this.#timers) disarm(timer);
    const stretchMs = Math.max(MIN_STRETCH_MS, Math.ceil((target - this.#movedTo) / MAX_STRETCHES));
    try {
      await settle();
      // Every loop looks once, so that it stops time at what came since its last pass.
      await this.#fireDue(settle, Number.POSITIVE_INFINITY);
      while (this.#movedTo < target) {
        const next = Math.min(target, this.#movedTo + stretchMs, this.#nextExact());
        this.#movedTo = Math.max(this.#movedTo, next);
        if (!silent) this.#jumpedTo = this.#movedTo;
        const isLast = this.#movedTo === target;
        await this.#fireDue(settle, isLast ? Number.POSITIVE_INFINITY : 0);
      }
    } finally {
      this.#offsetMs = this.#movedTo - Math.floor(this.#followed.ticks());
      this.#movedTo = null;
      for (const timer of this.#timers) this.#arm(timer);
    }
  }

  #add(delayMs: number, callback: () => void, isRoutine: boolean): () => void {
    // Instants are whole milliseconds.
    const at = Math.ceil(this.now() + Math.max(0, delayMs));
    const timer: Timer = { at, isRoutine, callback, disarm: null };
    this.#timers.add(timer);
    if (this.#movedTo === null) this.#arm(timer);
    return () => {
      disarm(timer);
      this.#timers.delete(timer);
    };
  }

  #arm(timer: Timer): void {
    timer.disarm = this.#followed.after(timer.at - this.now(), () => {
      // A delay longer than the followed clock can count ends early.
      if (this.now() < timer.at) return this.#arm(timer);
      this.#fire(timer);
    });
  }

  #fire(timer: Timer): void {
    if (this.#timers.delete(timer)) timer.callback();
  }

  #nextExact(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { at, isRoutine } of this.#timers) if (!isRoutine && at < next) next = at;
    return next;
  }

  /** Fires what is due, and routine timers that are due within `aheadMs`, in the order of their instants. */
  async #fireDue(settle: () => Promise<void>, aheadMs: number): Promise<void> {
    let routineMs = aheadMs;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const due = this.#dueBefore(this.now(), routineMs);
      if (due.length === 0) return;
      for (const timer of due) this.#fire(timer);
      await settle();
      routineMs = REST_MS;
    }
  }

  #dueBefore(now: number, routineMs: number): Timer[] {
    const isDue = ({ at, isRoutine }: Timer) => at <= (isRoutine ? now + routineMs : now);
    // Timers of one instant stay in the order in which they were set.
    return [...this.#timers].filter(isDue).sort((a, b) => a.at - b.at);
  }
}

function disarm(timer: Timer): void {
  timer.disarm?.();
  timer.disarm = null;
}
