// The clock of one replica in the simulation: the world's ticks, instants that are set, and timers that wait while the
// replica stands still.

import type { Clock } from "../../../src/base/clock.ts";
import { DisciplinedClock } from "../../../src/base/disciplined-clock.ts";
import type { MovableClock } from "../../../src/base/movable-clock.ts";
import { Fault } from "../../../src/domain/fault.ts";
import { type Running, runLoops } from "../../../src/loops/engine/loop.ts";
import { keepTimeLoop, measureClock } from "../../../src/loops/engine/sync-clock.ts";
import { Notifier } from "../../../src/store/engine/notifier.ts";

/** The longest period of a loop. A move of time ends routine waits early; one that is longer has another reason. */
const MAX_ROUTINE_MS = 3_600_000;

export class ReplicaClock implements Clock {
  readonly routine: Clock;
  readonly #world: MovableClock;
  readonly #instant: () => number;
  #held: (() => void)[] | null = null;

  constructor(world: MovableClock, instant: () => number) {
    this.#world = world;
    this.#instant = instant;
    this.routine = {
      now: instant,
      ticks: () => world.ticks(),
      after: (delayMs, callback) =>
        this.#add(delayMs > MAX_ROUTINE_MS ? world : world.routine, delayMs, callback),
    };
  }

  now(): number {
    return this.#instant();
  }

  ticks(): number {
    return this.#world.ticks();
  }

  after(delayMs: number, callback: () => void): () => void {
    return this.#add(this.#world, delayMs, callback);
  }

  get jumpedTo(): number {
    return this.#world.jumpedTo + this.now() - this.ticks();
  }

  freeze(): void {
    this.#held ??= [];
  }

  /** Runs what became due meanwhile. */
  thaw(): void {
    const due = this.#held ?? [];
    this.#held = null;
    for (const callback of due) callback();
  }

  #add(timers: Pick<Clock, "after">, delayMs: number, callback: () => void): () => void {
    let isCancelled = false;
    const run = () => {
      if (!isCancelled) callback();
    };
    const cancel = timers.after(delayMs, () => {
      if (this.#held) this.#held.push(run);
      else run();
    });
    return () => {
      isCancelled = true;
      cancel();
    };
  }
}

/** A replica's clock that follows the database's, as it does in production. */
export async function followDatabase(
  world: MovableClock,
  database: { now: () => number; isReachable: () => boolean },
): Promise<{ clock: ReplicaClock; following: Running }> {
  const store = {
    async time() {
      if (!database.isReachable()) throw new Fault("store_unavailable");
      return database.now();
    },
  } as Parameters<typeof keepTimeLoop>[0]["store"];
  const ticks = () => world.ticks();
  const disciplined = new DisciplinedClock(ticks, world, (await measureClock(store, ticks))!);
  const clock = new ReplicaClock(world, () => disciplined.now());
  const log = { info() {}, warn() {}, error() {} };
  const following = runLoops([keepTimeLoop({ store, clock: disciplined, ticks })], {
    clock,
    log,
    notifier: new Notifier(),
    leaderships: { mine: async () => true },
  });
  return { clock, following };
}
