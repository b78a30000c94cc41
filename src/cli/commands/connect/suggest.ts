// The words that can stand at the end of an unfinished command line: commands, subcommands, options, and names
// of resources. They come from the help texts, so that they are never out of date.

import { Deadline, LATE, systemClock, within } from "../../../base/clock.ts";
import { callList } from "../../client/api.ts";
import type { CommandEntry } from "../../command.ts";
import { type ServiceChoice, serviceFor } from "../../context/choose-service.ts";
import { LOCAL, readContexts } from "../../context/contexts.ts";
import { plainText } from "../../output/table.ts";
import type { Item } from "../../resources/resource.ts";

interface Suggestion {
  word: string;
  about: string;
}

/** A person waits for no longer than this. */
const LONGEST_MS = 1_500;

/** The resources that commands without subcommands take. */
const argumentsOf: Record<string, string> = {
  run: "endpoints",
  wait: "endpoints",
  open: "endpoints",
  why: "endpoints",
  rollback: "endpoints",
  logs: "pods",
  exec: "pods",
  ssh: "pods",
  ls: "volumes",
};

export async function suggestions(
  commands: Record<string, CommandEntry>,
  words: string[],
): Promise<Suggestion[]> {
  const typed = words.at(-1) ?? "";
  const all = await within(new Deadline(systemClock, LONGEST_MS), () =>
    candidates(commands, words.slice(0, -1), typed).catch(() => []),
  );
  return (all === LATE ? [] : all).filter(({ word }) => word.startsWith(typed));
}

async function candidates(
  commands: Record<string, CommandEntry>,
  before: string[],
  typed: string,
): Promise<Suggestion[]> {
  const [name, ...rest] = before;
  if (name === undefined || (name === "help" && rest.length === 0)) {
    return Object.entries(commands).map(([word, { about }]) => ({ word, about }));
  }
  if (!Object.hasOwn(commands, name)) return [];
  const { usage } = await commands[name]!.load();
  const { text } = await usage(rest);
  const previous = rest.at(-1);
  if (previous?.startsWith("-")) {
    const option = optionsIn(text).find(({ word, short }) => [word, short].includes(previous));
    if (option?.value) return valuesFor(option, before);
  }
  if (typed.startsWith("-")) return optionsIn(text);
  const subcommands = subcommandsIn(text);
  if (subcommands.length > 0) return subcommands;
  const kind = argumentsOf[name] ?? (await nounNamed(text, name));
  return kind === null ? [] : namesOf(kind, before);
}

/** The noun, if its subcommand takes items of it: `machine drain <machine>`, and not `gpus cordon <uuid>`. */
async function nounNamed(text: string, noun: string): Promise<string | null> {
  const { resources } = await import("../../resources/resource-table.ts");
  const { wordFor } = await import("../../resources/resource.ts");
  const resource = Object.hasOwn(resources, noun) ? resources[noun]! : null;
  const [usage = ""] = text.split("\n");
  return resource && usage.includes(`<${wordFor(resource)}`) ? noun : null;
}

interface OptionSuggestion extends Suggestion {
  short: string | undefined;
  /** The placeholder of its value. */
  value: string | undefined;
}

/** The lines of a help text that describe options. */
function optionsIn(text: string): OptionSuggestion[] {
  const line = /^ {2}(?:(-\w), )?(--[\w-]+)(?: ([<[A-Z]\S*))?(?: {2,}(.*))?$/gm;
  return [...text.matchAll(line)].map(([, short, word = "", value, about = ""]) => {
    return { word, about, short, value };
  });
}

/** The lines of a help text that describe subcommands. */
function subcommandsIn(text: string): Suggestion[] {
  const [, section = ""] = text.split("\nCommands:\n");
  return [...section.matchAll(/^ {2}([\w-]+)(?:\|[\w-]+)?(?: .*?)? {2,}(.*)$/gm)].map(
    ([, word = "", about = ""]) => ({ word, about }),
  );
}

async function valuesFor(option: OptionSuggestion, before: string[]): Promise<Suggestion[]> {
  if (option.word === "--context") {
    const { contexts } = readContexts(process.env);
    const named = Object.entries(contexts).map(([word, { url }]) => ({ word, about: url }));
    return [{ word: LOCAL, about: "the data folder" }, ...named];
  }
  if (option.word === "--endpoint-id") return namesOf("endpoints", before);
  const choices = /^[<[]([^<>[\]]+\|[^<>[\]]+)[>\]]$/.exec(option.value ?? "")?.[1];
  return (choices?.split("|") ?? []).map((word) => ({ word, about: option.about }));
}

/** Names that a shell would split are left out; their ids are not. */
async function namesOf(kind: string, before: string[]): Promise<Suggestion[]> {
  const { resources } = await import("../../resources/resource-table.ts");
  const resource = Object.hasOwn(resources, kind) ? resources[kind] : undefined;
  if (!resource || resource.parent) return [];
  const service = await serviceFor(choiceIn(before));
  const items = (await callList(service, resource.list, { query: resource.findIn })) as Item[];
  return items.map(({ id, name }) =>
    typeof name === "string" && /^[\w.-]+$/.test(name)
      ? { word: name, about: id }
      : { word: id, about: plainText(String(name ?? "")) },
  );
}

/** The options on the line that say which Freehold is meant. */
function choiceIn(words: string[]): ServiceChoice {
  const names = ["context", "data", "listen", "config"] as const;
  const found = names.filter((name) => words.includes(`--${name}`));
  return Object.fromEntries(found.map((name) => [name, words[words.indexOf(`--${name}`) + 1]]));
}
