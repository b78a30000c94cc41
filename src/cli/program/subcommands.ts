// A command whose first word is a subcommand, such as `key create NAME`.

import { UsageError } from "../../base/refusal.ts";
import { nearestWord } from "../../base/text/nearest.ts";
import type { RunningService } from "../client/running-service.ts";
import { type ServiceChoice, serviceFor } from "../context/choose-service.ts";

export interface Subcommand<Values> {
  /** What its word is, such as "one name"; null for a subcommand without a word. */
  takes: string | null;
  /** Resolves to the text that is printed. */
  run(service: RunningService, word: string, values: Values): Promise<string>;
}

export async function runSubcommand<Values extends ServiceChoice>(
  command: string,
  subcommands: Record<string, Subcommand<Values>>,
  { positionals, values }: { positionals: string[]; values: Values },
): Promise<undefined> {
  const names = Object.keys(subcommands);
  const [name = "", word = "", ...more] = positionals;
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (!subcommand)
    throw new UsageError(`${unknownText(command, name, names)}; there are ${names.join(", ")}`);
  const { takes } = subcommand;
  if (more.length > 0 || (word === "") !== (takes === null))
    throw new UsageError(`${command} ${name} takes ${takes ?? "nothing more"}`);
  process.stdout.write(await subcommand.run(await serviceFor(values), word, values));
  return undefined;
}

function unknownText(command: string, name: string, names: readonly string[]): string {
  if (name === "") return `${command} takes a subcommand`;
  const suggestion = nearestWord(name, names);
  return `${command} has no subcommand "${name}"${suggestion ? ` (did you mean ${suggestion}?)` : ""}`;
}
