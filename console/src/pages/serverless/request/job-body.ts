// The parser of a job body, with a message for invalid text.

import { parseExactly } from "../../../exact-json.ts";

interface ParsedBody {
  body: Record<string, unknown> | null;
  error: string | null;
}

export function parseBody(text: string): ParsedBody {
  let body: unknown;
  try {
    body = parseExactly(text);
  } catch (error) {
    return { body: null, error: `Invalid JSON: ${locateError((error as Error).message, text)}` };
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return { body: null, error: 'The body must be an object such as { "input": ... }.' };
  }
  if (!("input" in body)) return { body: null, error: 'The body must have an "input" field.' };
  return { body: body as Record<string, unknown>, error: null };
}

/** Adds the line and column of the position that browsers report. */
function locateError(message: string, text: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined || message.includes("line ")) return message;
  const before = text.slice(0, Number(position)).split("\n");
  return `${message} (line ${before.length}, column ${before.at(-1)!.length + 1})`;
}
