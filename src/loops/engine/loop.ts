// The loop engine. A loop is work that the service does on its own. It takes no input: a notification
// or its period starts a pass, and each pass reads the full state again. A notification is a hint and
// may be lost; a pass that fails is logged, and the next pass is its retry.

import { type Clock, msUntil, pause, routineOf, yieldToEventLoop } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { ProcessMetrics } from "../../flows/metrics/process-metrics.ts";
import { type Notifier, topic } from "../../store/engine/notifier.ts";
import type { Leaderships } from "./leadership.ts";

export interface Loop {
  name: string;
  /** True if one replica runs it for all; false if each replica runs it for its own machine. */
  shared: boolean;
  /** The longest time from the start of a pass to the start of the next, unless the pass itself takes longer. */
  periodMs: number;
  /** The shortest time from the start of a pass to the start of the next, however many notifications arrive. */
  restMs: number;
  topics: string[];
  /** One pass. May return the instant of the next pass that it needs; a pass that failed in part throws PartialFailure. */
  run(): Promise<number | null>;
  /** Ends the work that passes have left in progress; called once, after the last pass. */
  finish?(): Promise<void>;
}

/** A pass did what it could, and needs the next one at an instant. */
export class PartialFailure extends Error {
  override readonly name = "PartialFailure";
  readonly again: number | null;

  /** The engine reports the cause. */
  constructor(cause: unknown, again: number | null) {
    super(String(cause), { cause });
    this.again = again;
  }
}

export interface Running {
  /** Lets every loop finish its pass and its work in progress. */
  stop(): Promise<void>;
}

interface Deps {
  clock: Clock;
  notifier: Notifier;
  log: Logger;
  leaderships: Pick<Leaderships, "mine">;
  /** A leadership that all of these loops need; they run only while this replica holds it. */
  leadership?: string;
  /** Records every pass: its duration and whether it failed. */
  metrics?: Pick<ProcessMetrics, "recordPass">;
}

export function runLoops(loops: Loop[], deps: Deps): Running {
  const stopped = new AbortController();
  const ends = loops.map((loop) => run(loop, deps, stopped.signal));
  return {
    async stop() {
      stopped.abort();
      await Promise.all(ends);
    },
  };
}

async function run(
  loop: Loop,
  { clock, notifier, log, leaderships, leadership: whole, metrics }: Deps,
  stopped: AbortSignal,
): Promise<void> {
  const leadership = whole ?? (loop.shared ? loop.name : null);
  const subscription = notifier.subscribe(
    ...loop.topics,
    ...(leadership === null ? [] : [topic.leaderships]),
  );
  const trouble = new Trouble(log, loop.name);
  while (!stopped.aborted) {
    const startedTicks = clock.ticks();
    const sinceStart = () => clock.ticks() - startedTicks;
    let again: number | null = null;
    try {
      if (leadership === null || (await leaderships.mine(leadership))) {
        again = await loop.run();
        metrics?.recordPass(loop.name, sinceStart(), clock.now(), false);
      }
      trouble.over();
    } catch (error) {
      metrics?.recordPass(loop.name, sinceStart(), clock.now(), true);
      if (error instanceof PartialFailure) again = error.again;
      trouble.report(error instanceof PartialFailure ? error.cause : error);
    }
    const rest = loop.restMs - sinceStart();
    if (rest > 0) await pause(routineOf(clock), rest, stopped);
    const untilPeriod = loop.periodMs - sinceStart();
    const untilMs = Math.min(untilPeriod, msUntil(clock, again ?? Number.POSITIVE_INFINITY));
    const passBy = again === null ? null : stopAt(clock, again);
    await subscription.wait(routineOf(clock), untilMs, stopped);
    passBy?.();
    // The answers of the commit that notified go out first.
    await yieldToEventLoop();
    // The pass reads what the notifications until now are about; they start no second one.
    await subscription.wait(clock, 0);
  }
  subscription.close();
  // A loop that cannot finish, because the store is unavailable, does not block the shutdown.
  await loop.finish?.().catch((error: unknown) => trouble.report(error));
}

/** Where time is moved, it stops at the instant that a loop needs. Returns how to cancel that. */
function stopAt(clock: Clock, instant: number): (() => void) | null {
  return clock.routine ? clock.after(msUntil(clock, instant), () => {}) : null;
}

/** Logs an error of a loop once, however many passes repeat it. */
class Trouble {
  readonly #log: Logger;
  readonly #loop: string;
  #lastError: string | null = null;

  constructor(log: Logger, loop: string) {
    this.#log = log;
    this.#loop = loop;
  }

  report(error: unknown): void {
    const text = String(error);
    if (text === this.#lastError) return;
    this.#lastError = text;
    this.#log.error({ err: error, loop: this.#loop }, "loop pass failed; the next pass retries");
  }

  over(): void {
    if (this.#lastError !== null) this.#log.warn({ loop: this.#loop }, "loop recovered");
    this.#lastError = null;
  }
}
