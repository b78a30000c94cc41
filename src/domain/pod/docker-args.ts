// A command as some clients send it: one line, in words parted by blanks and kept together by quotes;
// or a JSON object that has an entry point as well.

export interface Command {
  dockerEntrypoint: string[];
  dockerStartCmd: string[];
}

const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g;

export function commandOf(line: string): string[] {
  const words = line.match(WORD) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

/** What is not said stays as it is. */
export function readDockerArgs(text: string): Partial<Command> {
  const object = asObject(text);
  if (!object) return { dockerStartCmd: commandOf(text) };
  const { cmd, entrypoint } = object;
  return {
    ...(cmd && { dockerStartCmd: cmd }),
    ...(entrypoint && { dockerEntrypoint: entrypoint }),
  };
}

/** Reading it again gives the same words. */
export function writeDockerArgs({ dockerEntrypoint, dockerStartCmd }: Command): string {
  const inQuotes = dockerStartCmd.map(quoted);
  if (dockerEntrypoint.length === 0 && !inQuotes.includes(null)) return inQuotes.join(" ");
  return JSON.stringify({ cmd: dockerStartCmd, entrypoint: dockerEntrypoint });
}

/** Null for what is no such object; that is a line like any other. */
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

/** Null for a word that no quotes hold together, or that would be taken for the object. */
function quoted(word: string, place: number): string | null {
  if (word !== "" && !/[\s"']/.test(word)) return place === 0 && word[0] === "{" ? null : word;
  if (!word.includes('"')) return `"${word}"`;
  return word.includes("'") ? null : `'${word}'`;
}
