// Runs the simulator in a process of its own, as `npm run simulate` does, and reads its outcomes.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../src/base/clock.ts";
import { NO_ERROR, type Outcome } from "./outcome.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
/** For one of many short histories. Its own waits have shorter limits, which say what they wait for. */
const MAX_HISTORY_MS = 1_200_000;

export interface Options {
  seed: number;
  hours: number;
  mutation?: string;
  replicas?: number;
}

/** Runs so many histories, from the seed on, in one process; it ends after one that fails. */
export async function* runBatch(options: Options, count: number): AsyncGenerator<Outcome> {
  const { seed, hours, replicas } = options;
  const args = ["--batch", String(count), "--seed", String(seed), "--hours", String(hours)];
  const child = start([...args, "--replicas", String(replicas)]);
  const errors = textOf(child.stderr);
  const watch = () => systemClock.after(MAX_HISTORY_MS, () => child.kill("SIGKILL"));
  let next = seed;
  let unwatch = watch();
  try {
    for await (const line of createInterface(child.stdout)) {
      unwatch();
      const outcome = JSON.parse(line) as Outcome;
      yield outcome;
      next = outcome.violation ? seed + count : next + 1;
      unwatch = watch();
    }
  } finally {
    unwatch();
    child.kill("SIGKILL");
  }
  if (next < seed + count) yield withoutEnd({ ...options, seed: next }, await errors);
}

/** What is counted for a history whose process ended. */
function withoutEnd({ seed, replicas }: Options, errors: string): Outcome {
  const message = `${NO_ERROR}: the process ended. ${errors}`;
  return {
    seed,
    replicas: replicas ?? null,
    counts: {},
    steps: 0,
    calls: 0,
    virtualHours: 0,
    cpuSeconds: 0,
    trace: "",
    violation: { invariant: NO_ERROR, message, step: 0, action: "" },
  };
}

export async function runSimulator({ seed, hours, mutation, replicas }: Options): Promise<Outcome> {
  const args = ["--json", "--seed", String(seed), "--hours", String(hours)];
  if (replicas !== undefined) args.push("--replicas", String(replicas));
  if (mutation !== undefined) args.push("--mutation", mutation);
  const child = start(args);
  const [output, errors] = await Promise.all([child.stdout, child.stderr].map(textOf));
  if (!output!.startsWith("{"))
    throw new Error(`the simulator failed with seed ${seed}: ${errors}${output}`);
  const outcome = JSON.parse(output!) as Outcome;
  if (outcome.violation?.invariant === NO_ERROR) throw new Error(outcome.violation.message);
  return outcome;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** It ends with this process, which holds its standard input open. */
const start = (args: string[]): Child =>
  spawn(process.execPath, [main, ...args], { stdio: ["pipe", "pipe", "pipe"] });

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
