// A container's command in one text, as clients send it: a JSON object of "cmd" and "entrypoint", or a
// command line.

import { joinCommandLine, splitCommandLine } from "./command-line.ts";

export interface ContainerCommand {
  dockerEntrypoint: string[];
  dockerStartCmd: string[];
}

/** An omitted part is absent. */
export function readDockerArgs(text: string): Partial<ContainerCommand> {
  const object = asObject(text);
  if (!object) return { dockerStartCmd: splitCommandLine(text) };
  const { cmd, entrypoint } = object;
  return {
    ...(cmd && { dockerStartCmd: cmd }),
    ...(entrypoint && { dockerEntrypoint: entrypoint }),
  };
}

/** Formats the command; readDockerArgs parses it to the same words. */
export function writeDockerArgs({ dockerEntrypoint, dockerStartCmd }: ContainerCommand): string {
  if (dockerEntrypoint.length === 0) return joinCommandLine(dockerStartCmd);
  return JSON.stringify({ cmd: dockerStartCmd, entrypoint: dockerEntrypoint });
}

/** Null if the text is a command line and not a JSON object. */
function asObject(text: string): { cmd?: string[]; entrypoint?: string[] } | null {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    const object = JSON.parse(text) as Record<string, unknown>;
    const names = Object.keys(object);
    const known = names.every((name) => name === "cmd" || name === "entrypoint");
    return known && names.every((name) => isWords(object[name])) ? object : null;
  } catch {
    return null;
  }
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === "string");
}
