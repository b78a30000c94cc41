// `freehold dev`: its options, and the signals that end it.

import { systemClock } from "../../base/clock.ts";
import { UsageError } from "../../base/refusal.ts";
import { readConfig } from "../../config/config.ts";
import { dev } from "../dev/dev.ts";
import { planFor } from "../dev/plan.ts";
import { flagsOf } from "../options.ts";
import { addReachOptions } from "../program/common-options.ts";
import { addExamples, addNotes, defineCommand } from "../program/define-command.ts";
import { collect } from "../resources/schema-options.ts";

export const { usage, run } = defineCommand("dev", (program, words) => {
  addNotes(
    program,
    "Creates an endpoint for the handler, prints its workers' output and its jobs' results, and starts",
    "a new worker whenever a file in the handler's folder is saved. Uses the Freehold that runs on the",
    "data folder, or starts one.",
  );
  program
    .argument("[handler]", "a file in Python, TypeScript or JavaScript")
    .argument("[command...]", "any command in its place, after --")
    .option("--workers <number>", "the maximum number of workers", "1")
    .option("--name <name>", "the endpoint's name (default: the file's)")
    .option(
      "--env <name=value>",
      "a variable for the handler; NAME alone passes on the shell's (repeatable)",
      collect,
    )
    .option("--python <program>", "the Python that runs the handler", "python3")
    .option("--keep", "leave the endpoint there at the end");
  addReachOptions(program).action((_file: string | undefined, _command: string[], values: Values) =>
    develop({ ...operandsIn(program.args, words), ...values }),
  );
  addExamples(program, "freehold dev handler.py", "freehold dev -- uv run handler.py");
});

interface Values {
  data?: string;
  listen?: string;
  config?: string;
  workers: string;
  name?: string;
  env?: string[];
  python: string;
  keep?: boolean;
}

/** The handler before --, and the command behind it. */
function operandsIn(operands: readonly string[], words: readonly string[]) {
  const command = words.includes("--") ? words.slice(words.indexOf("--") + 1) : [];
  const files = operands.slice(0, operands.length - command.length);
  if (files.length > 1) {
    throw new UsageError(`dev takes one handler; remove "${files[1]}" (put a command after --)`);
  }
  return { file: files[0] ?? null, command };
}

async function develop(values: Values & { file: string | null; command: string[] }): Promise<void> {
  const { file, command, workers, name = null, env = [], python, keep = false } = values;
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
}
