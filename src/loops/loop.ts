// A loop is work that the product does by itself. It takes no input: it is woken, or its period
// comes, and it reads the whole truth again. A wake-up is a hint and may be lost; a turn that fails
// is logged, and the next one is its retry.

import type { FastifyBaseLogger } from "fastify";
import { type Clock, pause } from "../base/clock.ts";
import type { OwnCounts } from "../flows/metrics/own.ts";
import { topic, type Wakes } from "../store/wakes.ts";
import type { Duties } from "./duties.ts";

export interface Loop {
  name: string;
  /** True for what one replica does for all; false for what each does for its own machine. */
  shared: boolean;
  /** The longest it goes without a look. */
  periodMs: number;
  /** The shortest between two looks, however often it is woken. */
  restMs: number;
  topics: string[];
  /** One look. May return an instant at which it wants to look again. */
  turn(): Promise<number | null>;
  /** Ends what turns have left under way; called once, after the last turn. */
  finish?(): Promise<void>;
}

export interface Running {
  /** Lets every loop finish its turn and what it has under way. */
  stop(): Promise<void>;
}

interface Deps {
  clock: Clock;
  wakes: Wakes;
  log: FastifyBaseLogger;
  duties: Pick<Duties, "mine">;
  /** What all of them are part of, where they turn only while this duty is held here. */
  duty?: string;
  /** Hears of every turn, how long it took and whether it failed. */
  counts?: Pick<OwnCounts, "turned">;
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
  { clock, wakes, log, duties, duty: whole, counts }: Deps,
  stopped: AbortSignal,
): Promise<void> {
  const duty = whole ?? (loop.shared ? loop.name : null);
  const bell = wakes.hang(...loop.topics, ...(duty === null ? [] : [topic.duties]));
  const trouble = new Trouble(log, loop.name);
  while (!stopped.aborted) {
    const startedAt = clock.now();
    let again: number | null = null;
    try {
      if (duty === null || (await duties.mine(duty))) {
        again = await loop.turn();
        counts?.turned(loop.name, clock.now() - startedAt, clock.now(), false);
      }
      trouble.over();
    } catch (error) {
      counts?.turned(loop.name, clock.now() - startedAt, clock.now(), true);
      trouble.tell(error);
    }
    const rest = startedAt + loop.restMs - clock.now();
    if (rest > 0) await pause(clock, rest, stopped);
    const untilMs = Math.min(loop.periodMs, (again ?? Number.POSITIVE_INFINITY) - clock.now());
    await bell.wait(clock, Math.max(0, untilMs), stopped);
  }
  bell.close();
  await loop.finish?.();
}

/** What keeps a loop from its work: said once, however often it comes round to it. */
class Trouble {
  readonly #log: FastifyBaseLogger;
  readonly #loop: string;
  #told: string | null = null;

  constructor(log: FastifyBaseLogger, loop: string) {
    this.#log = log;
    this.#loop = loop;
  }

  tell(error: unknown): void {
    const words = String(error);
    if (words === this.#told) return;
    this.#told = words;
    const loop = this.#loop;
    this.#log.error({ err: error, loop }, "a loop's turn failed; it comes round again");
  }

  over(): void {
    if (this.#told !== null) this.#log.warn({ loop: this.#loop }, "a loop works again");
    this.#told = null;
  }
}
