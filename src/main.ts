// The command line: the table of commands, and the lookup of one. Each command is loaded on demand,
// so that `up` starts fast.

import type { Command } from "./app/cli/command.ts";
import { Refusal } from "./app/refusal.ts";

interface Entry {
  about: string;
  load(): Promise<Command>;
}

const commands: Record<string, Entry> = {
  up: {
    about: "start the service (npm start does it)",
    load: () => import("./app/cli/commands/up.ts"),
  },
  dev: {
    about: "run a handler, with a fresh worker on every save",
    load: () => import("./app/cli/commands/dev.ts"),
  },
  env: {
    about: "print variables that point clients here",
    load: () => import("./app/cli/commands/env.ts"),
  },
  intercept: {
    about: "run a command whose fixed addresses lead here",
    load: () => import("./app/cli/commands/intercept.ts"),
  },
  key: {
    about: "create, list and revoke API keys",
    load: () => import("./app/cli/commands/key.ts"),
  },
  ls: {
    about: "list network volumes and their files",
    load: () => import("./app/cli/commands/storage/ls.ts"),
  },
  cp: {
    about: "copy files to, from and between network volumes",
    load: () => import("./app/cli/commands/storage/cp.ts"),
  },
  "s3-key": {
    about: "create, list and delete S3 keys",
    load: () => import("./app/cli/commands/storage/s3-key.ts"),
  },
  account: {
    about: "create, credit and disable accounts",
    load: () => import("./app/cli/commands/account.ts"),
  },
  why: {
    about: "explain the state of a job, worker, Pod or endpoint",
    load: () => import("./app/cli/commands/why.ts"),
  },
  machine: {
    about: "list, add and drain machines, plan maintenance",
    load: () => import("./app/cli/commands/machine.ts"),
  },
  exec: { about: "run a command in a Pod", load: () => import("./app/cli/commands/exec.ts") },
  backup: {
    about: "write the whole store to one file",
    load: () => import("./app/cli/commands/backup.ts"),
  },
  restore: {
    about: "replace the store by a backup",
    load: () => import("./app/cli/commands/restore.ts"),
  },
  adopt: {
    about: "give the data folder to another database",
    load: () => import("./app/cli/commands/adopt.ts"),
  },
  move: {
    about: "move the store from SQLite to PostgreSQL",
    load: () => import("./app/cli/commands/move.ts"),
  },
  doctor: {
    about: "check everything Freehold depends on",
    load: () => import("./app/cli/commands/doctor.ts"),
  },
};

export async function main(args: string[]): Promise<void> {
  process.stdout.on("error", endQuietly);
  try {
    process.exitCode = (await dispatch(args)) ?? 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    for (const sentence of error.message.split("\n"))
      process.stderr.write(`freehold: ${sentence}\n`);
    // Exits at once: a start that failed half-way may have left something that keeps the process
    // alive.
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
  const { nearestWord: nearest } = await import("./base/nearest.ts");
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
  const width = Math.max(...Object.keys(commands).map((name) => name.length)) + 2;
  const lines = Object.entries(commands).map(
    ([name, { about }]) => `  ${name.padEnd(width)}${about}`,
  );
  process.stdout.write(`Usage: freehold <command> [options]\n\n${lines.join("\n")}\n
Run freehold help <command> for its options, freehold --version for the version.\n`);
}

async function printVersion(): Promise<undefined> {
  const { version } = await import("./app/boot/first-screen.ts");
  process.stdout.write(`freehold ${version}\n`);
}

/** The reader of a pipe (`| head`) may close it. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
}
