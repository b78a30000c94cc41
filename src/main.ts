// The command line: the lookup of a command, its help, and the end of the process.

import { Refusal, UsageError } from "./base/refusal.ts";
import type { CommandEntry } from "./cli/command.ts";
import { commandGroups, commands } from "./cli/command-table.ts";

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
    process.exit(error.exitCode);
  }
}

async function dispatch(args: string[]): Promise<number | undefined> {
  const [word = "help", ...rest] = commandFirst(args);
  if (["--version", "-v", "version"].includes(word)) return printVersion();
  if (["--help", "-h", "help"].includes(word)) return printHelp(rest);
  const entry = await entryFor(word);
  const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (own.some((each) => each === "--help" || each === "-h")) return printHelp([word, ...own]);
  return (await entry.load()).run(rest);
}

/** Options that all commands share and whose place may be before the command, and whether they have a value. */
const LEADING = new Map([
  ...["--context", "--data", "--listen", "--config"].map((name) => [name, true] as const),
  ...["--json", "--quiet", "-q"].map((name) => [name, false] as const),
]);

/** `freehold --context bob pods stop box` as `freehold pods stop box --context bob`. */
function commandFirst(args: string[]): string[] {
  let end = 0;
  for (;;) {
    const [name = "", value] = (args[end] ?? "").split(/=(.*)/s);
    const hasValue = LEADING.get(name);
    if (hasValue === undefined) break;
    end += hasValue && value === undefined ? 2 : 1;
  }
  const rest = args.slice(end);
  const own = rest.includes("--") ? rest.indexOf("--") : rest.length;
  return [...rest.slice(0, own), ...args.slice(0, end), ...rest.slice(own)];
}

async function entryFor(word: string): Promise<CommandEntry> {
  const name = [word, ...otherNumbersOf(word)].find((each) => Object.hasOwn(commands, each));
  if (name !== undefined) return commands[name]!;
  const { nearestWord: nearest } = await import("./base/text/nearest.ts");
  const meant = nearest(word, Object.keys(commands));
  const hint = meant ? `did you mean \`freehold ${meant}\`?` : "`freehold help` lists them";
  throw new UsageError(`there is no command "${word}"; ${hint}`);
}

/** `freehold pod` is `freehold pods`, and `freehold batches` is `freehold batch`. */
function otherNumbersOf(word: string): string[] {
  if (word.length < 3) return [];
  const plurals = [`${word}s`, `${word}es`, word.replace(/y$/, "ies")];
  return [...plurals, word.replace(/s$/, ""), word.replace(/es$/, "")];
}

async function printHelp([word, ...rest]: string[]): Promise<undefined> {
  if (word) {
    const { about, load } = await entryFor(word);
    const help = await (await load()).usage(rest);
    process.stdout.write(`freehold ${help.path}: ${help.about || about}\n\n${help.text}`);
    return;
  }
  const width = Math.max(...Object.keys(commands).map((name) => name.length)) + 2;
  const groups = Object.entries(commandGroups).map(([title, group]) => {
    const lines = Object.entries(group).map(
      ([name, { about }]) => `  ${name.padEnd(width)}${about}`,
    );
    return `${title}:\n${lines.join("\n")}\n`;
  });
  process.stdout.write(`Usage: freehold <command> [options]\n\n${groups.join("\n")}
Run freehold help <command> for its options, freehold --version for the version.\n`);
}

async function printVersion(): Promise<undefined> {
  const { version } = await import("./cli/up/first-screen.ts");
  process.stdout.write(`freehold ${version}\n`);
}

/** The reader of a pipe (`| head`) may close it. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
}
