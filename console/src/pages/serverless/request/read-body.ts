// Whether a text is the body of a job, and where it is not, what is wrong with it.

interface Read {
  body: Record<string, unknown> | null;
  wrong: string | null;
}

export function readBody(text: string): Read {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    return { body: null, wrong: `This is no JSON: ${placed((error as Error).message, text)}` };
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return { body: null, wrong: 'It must be an object: { "input": ... }' };
  }
  if (!("input" in body)) return { body: null, wrong: 'It has no "input".' };
  return { body: body as Record<string, unknown>, wrong: null };
}

/** Browsers name a position; people look for a line. */
function placed(message: string, text: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined || message.includes("line ")) return message;
  const before = text.slice(0, Number(position)).split("\n");
  return `${message} (line ${before.length}, column ${before.at(-1)!.length + 1})`;
}
