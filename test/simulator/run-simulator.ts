// Runs the simulator in a process of its own, as `npm run simulate` does, and reads its outcome.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Outcome } from "./simulate.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

export interface Options {
  seed: number;
  hours: number;
  mutation?: string;
  replicas?: number;
}

/** Runs so many histories, from the seed on, one after another in a process of their own. */
export async function runBatch({ seed, hours, replicas }: Options, count: number) {
  const args = ["--batch", String(count), "--seed", String(seed), "--hours", String(hours)];
  const output = await outputOf([...args, "--replicas", String(replicas)], seed);
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Outcome);
}

export async function runSimulator({ seed, hours, mutation, replicas }: Options): Promise<Outcome> {
  const args = ["--json", "--seed", String(seed), "--hours", String(hours)];
  if (replicas !== undefined) args.push("--replicas", String(replicas));
  if (mutation !== undefined) args.push("--mutation", mutation);
  return JSON.parse(await outputOf(args, seed)) as Outcome;
}

/** Its standard output, which is JSON; rejects with its errors if it is not. */
async function outputOf(args: string[], seed: number): Promise<string> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const [output, errors] = await Promise.all([child.stdout, child.stderr].map(textOf));
  if (output!.startsWith("{")) return output!;
  throw new Error(`the simulator failed with seed ${seed}: ${errors}${output}`);
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
