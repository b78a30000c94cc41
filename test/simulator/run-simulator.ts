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

export async function runSimulator({ seed, hours, mutation, replicas }: Options): Promise<Outcome> {
  const args = [main, "--json", "--seed", String(seed), "--hours", String(hours)];
  if (replicas !== undefined) args.push("--replicas", String(replicas));
  if (mutation !== undefined) args.push("--mutation", mutation);
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const [output, errors] = await Promise.all([child.stdout, child.stderr].map(textOf));
  try {
    return JSON.parse(output!) as Outcome;
  } catch {
    throw new Error(`the simulator failed with seed ${seed}: ${errors}${output}`);
  }
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
