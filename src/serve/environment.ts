// The environment of a worker: variables, arguments, clock, randomness and output. Tests pass an
// environment of their own, with a clock that they control.

import { setTimeout as after } from "node:timers/promises";

export interface Environment {
  env: Record<string, string | undefined>;
  /** The arguments after the script's name. */
  argv: string[];
  /** Milliseconds since the process started. */
  now(): number;
  /** Resolves after `ms`, or when the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<unknown>;
  /** From 0 up to, but not including, 1. */
  random(): number;
  /** Writes one line to standard output. */
  print(line: string): void;
  /** Writes one line to standard error. */
  printError(line: string): void;
}

/** The longest delay of a Node timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const processEnvironment: Environment = {
  env: process.env,
  argv: process.argv.slice(2),
  now: () => Math.trunc(performance.now()),
  sleep: (ms, signal) => after(Math.min(ms, MAX_TIMER_MS), null, { signal }).catch(() => null),
  random: Math.random,
  // The console survives a closed pipe, while a plain write would throw.
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
};
