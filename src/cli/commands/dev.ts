// `freehold dev`: its options, and the signals that end it.

import { parseArgs } from "node:util";
import { readConfig } from "../../app/config/config.ts";
import { systemClock } from "../../base/clock.ts";
import { UsageError } from "../../base/refusal.ts";
import { dev } from "../dev/dev.ts";
import { planFor } from "../dev/plan.ts";
import { flagsOf, reachOptions, reachUsage, readOptions } from "../options.ts";

export const usage = `  freehold dev handler.py             a handler in Python
  freehold dev handler.ts             one in TypeScript or JavaScript
  freehold dev -- uv run handler.py   any command

Creates an endpoint for the handler, prints its workers' output and its jobs' results, and
starts a fresh worker whenever a file in the handler's folder is saved. Uses the Freehold that runs
on the data folder, or starts one.

  --workers N       as many workers at most, 1
  --name NAME       the endpoint's name, else the file's
  --env NAME=VALUE  a variable for the handler; NAME alone hands on the shell's. Repeat for more.
  --python PROGRAM  the Python that runs the handler, python3
  --keep            leave the endpoint there at the end
${reachUsage}`;

const options = {
  ...reachOptions,
  workers: { type: "string", default: "1" },
  name: { type: "string" },
  env: { type: "string", multiple: true, default: [] as string[] },
  python: { type: "string", default: "python3" },
  keep: { type: "boolean", default: false },
} as const;

export async function run(args: string[]): Promise<number> {
  const { values, file, command } = read(args);
  const { workers, name = null, env, python, keep } = values;
  if (!/^[1-9]\d{0,2}$/.test(workers)) {
    throw new UsageError(`--workers is "${workers}"; it takes a number from 1 to 999`);
  }
  const request = { file, command, name, env, python, keep, workers: Number(workers) };
  const plan = planFor(request, process.cwd(), process.env);
  const end = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // A second signal ends it at once.
    process.on(name, () => (end.signal.aborted ? process.exit(130) : end.abort()));
  }
  await dev(plan, {
    config: readConfig(flagsOf(values), process.env, process.cwd()),
    clock: systemClock,
    env: process.env,
    write: (text) => process.stdout.write(text),
    isTerminal: process.stdout.isTTY,
    signal: end.signal,
  });
  return 0;
}

function read(args: string[]) {
  const parsed = readOptions("dev", options, () =>
    parseArgs({ args, options, allowPositionals: true, tokens: true }),
  );
  const end = parsed.tokens.find(({ kind }) => kind === "option-terminator")?.index ?? args.length;
  const words = parsed.tokens.filter((token) => token.kind === "positional");
  const files = words.filter(({ index }) => index < end).map(({ value }) => value);
  if (files.length > 1) {
    throw new UsageError(`dev takes one handler; remove "${files[1]}" (put a command after --)`);
  }
  const command = args.slice(end + 1);
  return { values: parsed.values, file: files[0] ?? null, command };
}
