// The JSON text of each job's `input`, extracted from a take reply. JSON.parse rounds numbers that do
// not fit a double; the text keeps them.

/**
 * The text of every `input` in a reply that JSON.parse accepted: one job or a list of jobs. A job
 * without one has the text "null".
 */
export function rawInputs(reply: string): string[] {
  const jobs = reply.trimStart().startsWith("[")
    ? splitParts(reply).map(({ value }) => value)
    : [reply];
  return jobs.map((job) => {
    const inputs = splitParts(job).filter(({ key }) => key !== null && JSON.parse(key) === "input");
    return inputs.at(-1)?.value ?? "null";
  });
}

/** The elements of a list, or the members of an object, as texts; anything else has none. */
function splitParts(text: string): { key: string | null; value: string }[] {
  const parts: { key: string | null; value: string }[] = [];
  let key: string | null = null;
  let start = text.search(/[[{]/) + 1;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    const opens = character === "{" || character === "[";
    const closes = character === "}" || character === "]";
    if (depth === 1 && character === ":") {
      key = text.slice(start, at);
      start = at + 1;
    }
    if (depth === 1 && (character === "," || closes)) {
      const value = text.slice(start, at).trim();
      if (value) parts.push({ key, value });
      start = at + 1;
    }
    depth += Number(opens) - Number(closes);
  }
  return parts;
}

/** The index of the closing quote of the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = at + 1; ; end++) {
    if (text[end] === "\\") end++;
    else if (text[end] === '"') return end;
  }
}
