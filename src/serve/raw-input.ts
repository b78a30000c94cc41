// The JSON text of each job's `input`, cut out of a take reply as it came. JSON.parse rounds what
// does not fit a double; the text does not.

/**
 * The text of every `input` in a reply that JSON.parse accepted: one job or a list of jobs. A job
 * without one has the text "null".
 */
export function rawInputs(reply: string): string[] {
  const jobs = reply.trimStart().startsWith("[") ? parts(reply).map(({ value }) => value) : [reply];
  return jobs.map((job) => {
    const inputs = parts(job).filter(({ key }) => key !== null && JSON.parse(key) === "input");
    return inputs.at(-1)?.value ?? "null";
  });
}

/** The elements of a list, or the members of an object, as texts; anything else has none. */
function parts(text: string): { key: string | null; value: string }[] {
  const found: { key: string | null; value: string }[] = [];
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
      if (value) found.push({ key, value });
      start = at + 1;
    }
    depth += Number(opens) - Number(closes);
  }
  return found;
}

/** The index of the quote that ends the string which begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = at + 1; ; end++) {
    if (text[end] === "\\") end++;
    else if (text[end] === '"') return end;
  }
}
