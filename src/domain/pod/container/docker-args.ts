// A container's command in one text, as GraphQL clients send it: a line of words with quotes, or a JSON
// object that has an entry point too.

export interface Command {
  dockerEntrypoint: string[];
  dockerStartCmd: string[];
}

const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g;

export function commandOf(line: string): string[] {
  const words = line.match(WORD) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

/** An omitted part is absent. */
export function readDockerArgs(text: string): Partial<Command> {
  const object = asObject(text);
  if (!object) return { dockerStartCmd: commandOf(text) };
  const { cmd, entrypoint } = object;
  return {
    ...(cmd && { dockerStartCmd: cmd }),
    ...(entrypoint && { dockerEntrypoint: entrypoint }),
  };
}

/** Formats the command; readDockerArgs parses it to the same words. */
export function writeDockerArgs({ dockerEntrypoint, dockerStartCmd }: Command): string {
  const words = dockerStartCmd.map(quote);
  if (dockerEntrypoint.length === 0 && !words.includes(null)) return words.join(" ");
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

/** Null for a word that cannot be quoted, or that would be parsed as the JSON object. */
function quote(word: string, index: number): string | null {
  if (word !== "" && !/[\s"']/.test(word)) return index === 0 && word[0] === "{" ? null : word;
  if (!word.includes('"')) return `"${word}"`;
  return word.includes("'") ? null : `'${word}'`;
}
