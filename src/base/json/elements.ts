// The spans of an array's elements in a text that is known to be JSON, such as a member that a scan found.

import { yieldToEventLoop } from "../clock.ts";
import type { TextSpan } from "./body.ts";
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
} from "./bytes.ts";

/** Each span has the white space around its element. */
export function* elementsOf(text: Buffer): Generator<TextSpan> {
  let depth = 0;
  let start = text.indexOf(OPEN_ARRAY) + 1;
  for (let at = start; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE) at = stringEnd(text, at);
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_OBJECT || (byte === CLOSE_ARRAY && depth > 0)) depth--;
    else if (depth === 0 && (byte === COMMA || byte === CLOSE_ARRAY)) {
      if (byte === COMMA || hasValue(text, start, at)) yield { start, end: at };
      if (byte === CLOSE_ARRAY) return;
      start = at + 1;
    }
  }
}

/** The position of the closing quote. */
function stringEnd(text: Buffer, open: number): number {
  for (let at = text.indexOf(QUOTE, open + 1); ; at = text.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
}

/** False for the inside of an empty array. */
function hasValue(text: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text[at]! > SPACE) return true;
  return false;
}

const BYTES_PER_SLICE = 1_048_576;

/** The spans of `elementsOf`, a megabyte of the text at a time: other work runs between two slices. */
export async function* elementSlices(text: Buffer): AsyncGenerator<TextSpan[]> {
  let slice: TextSpan[] = [];
  let sliceEnd = BYTES_PER_SLICE;
  for (const span of elementsOf(text)) {
    slice.push(span);
    if (span.end < sliceEnd) continue;
    yield slice;
    await yieldToEventLoop();
    slice = [];
    sliceEnd = span.end + BYTES_PER_SLICE;
  }
  yield slice;
}
