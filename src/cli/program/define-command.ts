// A command whose arguments, options and help come from commander. Its messages become Refusals, so that
// they are printed, and end the process, as those of every other command.

import { CommanderError, type Option, Command as Program } from "commander";
import { UsageError } from "../../base/refusal.ts";
import { nearestWord } from "../../base/text/nearest.ts";
import type { Command } from "../command.ts";

/** Adds arguments, options and actions; `words` are the words behind the command's name. */
type Build = (program: Program, words: string[]) => void | Promise<void>;

export function defineCommand(name: string, build: Build): Command {
  return {
    async usage(words) {
      const program = await programOf(name, build, words);
      requireKnownSubcommand(program, words);
      const command = commandAt(program, words);
      return { path: pathOf(command), about: command.description(), text: helpOf(command) };
    },
    async run(args) {
      const program = await programOf(name, build, args);
      requireKnownSubcommand(program, args);
      requireSubcommand(program, args);
      try {
        await program.parseAsync(args, { from: "user" });
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        const isGroup = error.code === "commander.help";
        throw new UsageError(
          isGroup
            ? groupSentence(program, args)
            : sentenceOf(error, pathOf(commandAt(program, args))),
        );
      }
      // An action that ran another program sets its code.
      return process.exitCode === undefined ? undefined : Number(process.exitCode);
    },
  };
}

/** The command with its options and subcommands, as completions describe it. */
async function programOf(name: string, build: Build, words: string[]): Promise<Program> {
  const program = new Program(`freehold ${name}`);
  // Subcommands inherit these settings, so they come first.
  program.helpOption(false).helpCommand(false).exitOverride();
  program.configureHelp({ minWidthToWrap: 24, optionDescription, commandDescription: notesOf });
  program.configureOutput({ writeErr: () => {}, outputError: () => {} });
  await build(program, words);
  return program;
}

/** The description and the default, which commander would put in quotes. */
function optionDescription({ description, defaultValue }: Option): string {
  return defaultValue === undefined ? description : `${description} (default: ${defaultValue})`;
}

const examples = new WeakMap<Program, readonly string[]>();
const notes = new WeakMap<Program, string>();
const notesOf = (program: Program) => notes.get(program) ?? "";

/** Command lines that the help ends with. */
export function addExamples(program: Program, ...lines: string[]): Program {
  examples.set(program, lines);
  return program;
}

/** What the help says before the options. */
export function addNotes(program: Program, ...sentences: string[]): Program {
  notes.set(program, sentences.join(" "));
  return program;
}

function helpOf(program: Program): string {
  const lines = examples.get(program);
  const shown = lines ? `\nExamples:\n${lines.map((line) => `  ${line}\n`).join("")}` : "";
  const isGroup = program.commands.length > 0;
  const hint = `\nRun freehold help ${pathOf(program)} <command> for its options.\n`;
  return `${program.helpInformation()}${shown}${isGroup ? hint : ""}`;
}

function commandAt(program: Program, words: string[]): Program {
  const [word, ...rest] = words.filter((each) => !each.startsWith("-"));
  const found = program.commands.find((each) => [each.name(), ...each.aliases()].includes(word!));
  return found ? commandAt(found, rest) : program;
}

/** Commander gives an unknown word to the default subcommand, as an argument. */
function requireKnownSubcommand(program: Program, [word]: string[]): void {
  if (program.commands.length === 0 || word === undefined || word.startsWith("-")) return;
  if (commandAt(program, [word]) !== program) return;
  const names = subcommandsOf(program);
  const nearest = nearestWord(word, names);
  const hint = nearest ? `did you mean ${nearest}?` : `there are ${names.join(", ")}`;
  throw new UsageError(`${pathOf(program)} has no subcommand "${word}"; ${hint}`);
}

/** Commander would call the first option of a group without a subcommand unknown. */
function requireSubcommand(program: Program, [word]: string[]): void {
  const hasDefault = program.commands.some((each) => each.description().endsWith("the default"));
  if (program.commands.length === 0 || hasDefault || !word?.startsWith("-")) return;
  throw new UsageError(groupSentence(program, []));
}

/** A group of commands whose subcommand is missing. */
function groupSentence(program: Program, args: string[]): string {
  const group = commandAt(program, args);
  return `${pathOf(group)} takes a subcommand; there are ${subcommandsOf(group).join(", ")}`;
}

const subcommandsOf = (program: Program): string[] =>
  program
    .createHelp()
    .visibleCommands(program)
    .map((each) => each.name());

/** "machine slice" of the program `freehold machine` and its group `slice`. */
function pathOf(program: Program): string {
  if (!program.parent) return program.name().replace(/^freehold /, "");
  return `${pathOf(program.parent)} ${program.name()}`;
}

/** "error: unknown option '--jsno'\n(Did you mean --json?)" as one sentence. */
function sentenceOf({ message }: CommanderError, name: string): string {
  const [first = "", ...more] = message.replace(/^error: /, "").split("\n");
  const suggestion = more.join(" ").replace(/^\(|\)$/g, "");
  const hint = suggestion
    ? `${suggestion[0]!.toLowerCase()}${suggestion.slice(1)}`
    : `\`freehold help ${name}\` shows the usage`;
  return `${first.replace(/\.$/, "")}; ${hint}`;
}
