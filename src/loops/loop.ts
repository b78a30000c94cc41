// A loop is work that the product does by itself. It takes no input: it is woken, or its period
// comes, and it reads the whole truth again. A wake-up is a hint and may be lost; a turn that fails
// is logged, and the next one is its retry.

import type { FastifyBaseLogger } from "fastify";
import { type Clock, pause } from "../base/clock.ts";
import type { Wakes } from "../store/wakes.ts";

export interface Loop {
  name: string;
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

export function runLoops(
  loops: Loop[],
  deps: { clock: Clock; wakes: Wakes; log: FastifyBaseLogger },
): Running {
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
  { clock, wakes, log }: { clock: Clock; wakes: Wakes; log: FastifyBaseLogger },
  stopped: AbortSignal,
): Promise<void> {
  const bell = wakes.hang(...loop.topics);
  while (!stopped.aborted) {
    const startedAt = clock.now();
    let again: number | null = null;
    try {
      again = await loop.turn();
    } catch (error) {
      log.error({ err: error, loop: loop.name }, "a loop's turn failed; it comes round again");
    }
    const rest = startedAt + loop.restMs - clock.now();
    if (rest > 0) await pause(clock, rest, stopped);
    const untilMs = Math.min(loop.periodMs, (again ?? Number.POSITIVE_INFINITY) - clock.now());
    await bell.wait(clock, Math.max(0, untilMs), stopped);
  }
  bell.close();
  await loop.finish?.();
}
