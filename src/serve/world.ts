// What a worker takes from outside: its environment, time, chance and a place to write. Tests pass
// a world of their own, in which time moves when they say so.

import { setTimeout as after } from "node:timers/promises";

export interface World {
  env: Record<string, string | undefined>;
  /** The arguments after the script's name. */
  argv: string[];
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<unknown>;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** Writes one line to standard output. */
  print(line: string): void;
  /** Writes one line to standard error. */
  complain(line: string): void;
}

/** Node cannot count further than this in one timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const realWorld: World = {
  env: process.env,
  argv: process.argv.slice(2),
  now: () => Math.trunc(performance.now()),
  sleep: (ms, signal) => after(Math.min(ms, LONGEST_TIMER_MS), null, { signal }).catch(() => null),
  random: Math.random,
  // The console, because it outlives a reader that went away, where a plain write would throw.
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
};
