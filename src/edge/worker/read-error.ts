// The error of a worker's post as clients read it. A long one is cut: it is stored in the job's row, and every read of the
// job and every list sends it whole.

import type { Body, LongText } from "../../base/json/body.ts";
import type { JsonValue } from "../../base/json/outline.ts";

/** Kept of the beginning and of the end of a long error; the last lines of a traceback say what went wrong. */
const KEPT_BYTES = 128 * 1024;
/** The longest piece of an escape or of a code point that a cut can leave. */
const MAX_PIECE = 6;

/**
 * An error may be any JSON; clients read a string. A value that is false in Python is no error. Python writes a byte that it
 * could not decode as half of a surrogate pair: U+FFFD takes its place, which a store would keep, and some clients refuse it.
 */
export function readError(body: Body, value: JsonValue | undefined): string | null {
  if (!value || value.kind === "null" || value.kind === "false") return null;
  const text = body.view(value);
  const isString = value.kind === "string";
  if (text.length > 2 * KEPT_BYTES) return cutText(text, isString);
  const json = text.subarray(0).toString("utf8");
  if (isString) return (JSON.parse(json) as string).toWellFormed() || null;
  const isNothing = /^(?:\{\s*\}|\[\s*\]|-?0+(?:\.0*)?)$/.test(json);
  return isNothing ? null : json;
}

function cutText(text: LongText, isString: boolean): string {
  const head = text
    .subarray(0, KEPT_BYTES)
    .toString("utf8")
    .replace(/\ufffd+$/, "");
  const tail = text
    .subarray(text.length - KEPT_BYTES)
    .toString("utf8")
    .replace(/^\ufffd+/, "");
  const between = `\n... ${text.length - 2 * KEPT_BYTES} bytes of the error are left out ...\n`;
  if (!isString) return head + between + tail;
  const beginning = parseFirst((piece) => `${head.slice(0, head.length - piece)}"`);
  const end = parseFirst((piece) => `"${tail.slice(piece)}`);
  return (beginning + between + end).toWellFormed();
}

/** Parses a part of a string, with as little as possible left out where it was cut. */
function parseFirst(jsonWithout: (piece: number) => string): string {
  for (let piece = 0; piece < MAX_PIECE; piece++) {
    try {
      return JSON.parse(jsonWithout(piece)) as string;
    } catch {
      // The cut is within an escape.
    }
  }
  return JSON.parse(jsonWithout(MAX_PIECE)) as string;
}
