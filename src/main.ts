// The command line: the table of commands, and the way from a word to one of them. Each is loaded
// only when it is asked for, so that `up` starts as fast as it can.

import type { Command } from "./app/cli/command.ts";
import { Refusal } from "./app/refusal.ts";

interface Entry {
  about: string;
  load(): Promise<Command>;
}

const commands: Record<string, Entry> = {
  up: { about: "start the service (npm start does it)", load: () => import("./app/cli/up.ts") },
  dev: { about: "run a handler, anew on every save", load: () => import("./app/cli/dev.ts") },
  env: { about: "variables that point clients here", load: () => import("./app/cli/env.ts") },
  key: { about: "make, list and revoke API keys", load: () => import("./app/cli/key.ts") },
  account: {
    about: "make, credit and disable accounts",
    load: () => import("./app/cli/account.ts"),
  },
  why: { about: "why a job, worker or endpoint is so", load: () => import("./app/cli/why.ts") },
  machine: {
    about: "list and drain machines, plan their maintenance",
    load: () => import("./app/cli/machine.ts"),
  },
  exec: { about: "run a command in a Pod", load: () => import("./app/cli/exec.ts") },
  backup: { about: "the whole store in one file", load: () => import("./app/cli/backup.ts") },
  restore: { about: "a backup becomes the store", load: () => import("./app/cli/restore.ts") },
  move: { about: "from SQLite to PostgreSQL", load: () => import("./app/cli/move.ts") },
  doctor: { about: "look for what is amiss", load: () => import("./app/cli/doctor.ts") },
};

export async function main(args: string[]): Promise<void> {
  process.stdout.on("error", endQuietly);
  try {
    process.exitCode = (await dispatch(args)) ?? 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    for (const sentence of error.message.split("\n"))
      process.stderr.write(`freehold: ${sentence}\n`);
    // At once: a start that failed half-way may have left something that would run on.
    process.exit(1);
  }
}

async function dispatch([word = "help", ...rest]: string[]): Promise<number | undefined> {
  if (["--version", "-v", "version"].includes(word)) return printVersion();
  if (["--help", "-h", "help"].includes(word)) return printHelp(rest[0]);
  const entry = await entryFor(word);
  const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (own.some((each) => each === "--help" || each === "-h")) return printHelp(word);
  return (await entry.load()).run(rest);
}

async function entryFor(word: string): Promise<Entry> {
  const entry = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (entry) return entry;
  const { nearest } = await import("./base/nearest.ts");
  const meant = nearest(word, Object.keys(commands));
  const hint = meant ? `did you mean \`freehold ${meant}\`?` : "`freehold help` lists them";
  throw new Refusal(`there is no command "${word}"; ${hint}`);
}

async function printHelp(word: string | undefined): Promise<undefined> {
  if (word) {
    const { about, load } = await entryFor(word);
    const { usage } = await load();
    process.stdout.write(`freehold ${word}: ${about}\n\n${usage}`);
    return;
  }
  const lines = Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(8)}${about}`);
  process.stdout.write(`Usage: freehold <command> [options]\n\n${lines.join("\n")}\n
freehold help <command> tells what a command takes, freehold --version which this is.\n`);
}

async function printVersion(): Promise<undefined> {
  const { version } = await import("./app/first-screen.ts");
  process.stdout.write(`freehold ${version}\n`);
}

/** Who reads us through a pipe (`| head`) may go away. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
}
