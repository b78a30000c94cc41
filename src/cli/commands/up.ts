// `freehold up`: runs the service in this process until it is stopped.

import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import type { Up } from "../../app/boot/up.ts";
import { systemClock } from "../../base/clock.ts";
import { UsageError } from "../../base/refusal.ts";
import { nearestWord } from "../../base/text/nearest.ts";
import { readConfig } from "../../config/config.ts";
import { type Flags, settings } from "../../config/settings.ts";
import type { Command } from "../command.ts";
import { firstScreen } from "../up/first-screen.ts";
import { freeWhenQuiet } from "../up/free-when-quiet.ts";
import { notifySystemd } from "../up/notify-systemd.ts";
import { removeTraces, requireNewFolder, untilInputEnds } from "../up/temporary.ts";

/** The help alone needs commander, which would delay the start. */
export const usage: Command["usage"] = async (words) =>
  (await import("../up/help.ts")).usage(words);

/**
 * V8 waits for more calls before it optimizes a function, as suits pages that run most of their code once. A service runs a
 * small part of its code for each job, and is at full speed sooner. The start itself runs most of its code once, so the flags
 * are set after it: before it they cost a fifth of its CPU time.
 */
const EARLY_OPTIMIZATION = [
  "--invocation-count-for-feedback-allocation=2",
  "--invocation-count-for-maglev=30",
  "--invocation-count-for-turbofan=200",
];
/** The flags are V8's own, and another version may print an error for an unknown one. */
const NODE_OF_FLAGS = "24";

export async function run(args: string[]): Promise<undefined> {
  const config = readConfig(flagsOf(args), process.env, process.cwd());
  const { temporary } = config;
  if (temporary) requireNewFolder(config.dataFolder);
  // A service that answers requests must handle signals, even before the first screen is printed.
  const signalled = new Promise<void>((resolve) => {
    process.on("SIGINT", () => resolve());
    process.on("SIGTERM", () => resolve());
    if (temporary) void untilInputEnds(process.stdin).then(resolve);
  });
  const { up } = await import("../../app/boot/up.ts");
  const running = await up(config, process.env);
  optimizeEarly();
  process.stdout.write(firstScreen(config, running, process.stdout.isTTY));
  notifySystemd(process.env, running.shownOrigin);
  if (config.jobLines && process.stdout.isTTY) await printJobLines(running);
  freeWhenQuiet(systemClock);
  void signalled
    .then(() => running.stop())
    .then(() => (temporary ? removeTraces(config, running.service.drivers) : undefined))
    .then(
      () => process.exit(0),
      (error: Error) => {
        process.stderr.write(`freehold: the service did not end cleanly: ${error.message}\n`);
        process.exit(1);
      },
    );
  return undefined;
}

function optimizeEarly(): void {
  if (!process.versions.node.startsWith(`${NODE_OF_FLAGS}.`)) return;
  for (const flag of EARLY_OPTIMIZATION) setFlagsFromString(flag);
}

async function printJobLines({ service }: Up): Promise<void> {
  const { JobLinePrinter } = await import("../../app/boot/job-lines.ts");
  const { jobLine } = await import("../up/job-line.ts");
  const { stdout } = process;
  new JobLinePrinter({
    store: service.store,
    clock: systemClock,
    lineOf: (job) => jobLine(job, stdout),
    write: (text) => stdout.write(text),
  });
}

function flagsOf(args: string[]): Flags {
  const flags = [...Object.values(settings).map(({ flag }) => flag), "config"];
  const options = {
    ...Object.fromEntries(flags.map((flag) => [flag, { type: "string" as const }])),
    team: { type: "boolean" as const },
  };
  const values = parsedOptions(args, options) as Record<string, string | undefined> & {
    team?: boolean;
  };
  const named = Object.entries(settings).map(([name, { flag }]) => [name, values[flag]]);
  return {
    ...Object.fromEntries(named),
    ...(values.team && { team: "on" }),
    ...(values.config && { config: values.config }),
  };
}

/** Throws Node's error about a wrong option as a sentence. */
function parsedOptions(
  args: string[],
  options: Record<string, { type: "string" | "boolean" }>,
): object {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith("ERR_PARSE_ARGS")) throw error;
    const help = "`freehold help up` lists its options";
    const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
    if (!unknown) throw new UsageError(`${message.replace(/\.$/, "")}; ${help}`);
    const nearest = nearestWord(unknown, Object.keys(options));
    throw new UsageError(
      `unknown option '${unknown}'; ${nearest ? `did you mean --${nearest}?` : help}`,
    );
  }
}
