// The division of a value that is too large for one piece of a stream: a string is split between code
// points and an array between elements. The JSON text of anything else, or of an element that is too
// large by itself, becomes numbered strings, so that a reader can join it again.

import { codePointEnd, escapeEnd, INCOMPLETE, plainEnd } from "./atoms.ts";
import { BACKSLASH, QUOTE } from "./bytes.ts";

export interface Piece {
  /** JSON text. */
  text: string;
  /** The number of this part of one value's JSON text: 1 is the first, `of` the last. */
  part?: { part: number; of: number };
}

/** Two quotes and the longest indivisible element: a surrogate pair written as escapes. */
const MIN_PIECE_BYTES = 14;

/**
 * Splits a value, given as valid JSON text, so that no piece's text exceeds `maxBytes` in UTF-8. The
 * pieces are produced on demand, so a caller can do other work in between. Throws if the text is not
 * JSON.
 */
export function* splitJson(text: string, maxBytes: number): Generator<Piece> {
  if (maxBytes < MIN_PIECE_BYTES) throw new RangeError(`no piece fits ${maxBytes} bytes`);
  if (Buffer.byteLength(text) <= maxBytes) {
    yield { text };
    return;
  }
  const bytes = Buffer.from(text.trim());
  if (bytes.length <= maxBytes) yield { text: bytes.toString() };
  else if (bytes[0] === QUOTE) yield* splitString(bytes, maxBytes);
  else if (bytes[0] === 0x5b) yield* splitArray(bytes, maxBytes);
  else yield* splitText(bytes, maxBytes);
}

function* splitString(bytes: Buffer, maxBytes: number): Generator<Piece> {
  const last = bytes.length - 1;
  for (let start = 1; start < last; ) {
    const limit = start + maxBytes - 2;
    const end = limit >= last ? last : start + wholeEnd(bytes.subarray(start, limit));
    yield { text: `"${bytes.toString("utf8", start, end)}"` };
    start = end;
  }
}

/** The end of the last complete code point in the window. */
function wholeEnd(window: Buffer): number {
  let at = plainEnd(window, 0);
  while (at < window.length) {
    const end = window[at] === BACKSLASH ? wholeEscapeEnd(window, at) : codePointEnd(window, at);
    if (end === INCOMPLETE) return at;
    if (end < 0) throw notJson();
    at = plainEnd(window, end);
  }
  return at;
}

/** The end of an escape; INCOMPLETE also if its other half, a low surrogate, may be outside the window. */
function wholeEscapeEnd(window: Buffer, at: number): number {
  const end = escapeEnd(window, at);
  if (!isHighSurrogate(window, at, end)) return end;
  const pairs = end === window.length || window[end] === BACKSLASH;
  return pairs && escapeEnd(window, end) === INCOMPLETE ? INCOMPLETE : end;
}

/** Whether the escape is \ud8xx to \udbxx. */
function isHighSurrogate(window: Buffer, start: number, end: number): boolean {
  if (end - start !== 6 || (window[start + 2]! | 0x20) !== 0x64) return false;
  return "89abAB".includes(String.fromCharCode(window[start + 3]!));
}

function* splitArray(bytes: Buffer, maxBytes: number): Generator<Piece> {
  const room = maxBytes - 2;
  const close = bytes.length - 1;
  const array = (start: number, end: number) => `[${bytes.toString("utf8", start, end)}]`;
  let unsent = 1;
  for (let start = 1, end: number; start <= close; start = end + 1) {
    end = elementEnd(bytes, start);
    if (end - unsent <= room) continue;
    if (start > unsent) yield { text: array(unsent, start - 1) };
    unsent = start;
    if (end - start <= room) continue;
    yield* splitElement(bytes.toString("utf8", start, end).trim(), maxBytes);
    unsent = end + 1;
  }
  if (unsent <= close) yield { text: array(unsent, close) };
}

/** The comma or bracket after the element that begins, with any white space, at `start`. */
function elementEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const c = bytes[at]!;
    if (c === QUOTE) at = closingQuote(bytes, at + 1);
    else if (c === 0x5b || c === 0x7b) depth++;
    else if (depth === 0 && (c === 0x2c || c === 0x5d)) return at;
    else if (c === 0x5d || c === 0x7d) depth--;
  }
  throw notJson();
}

function closingQuote(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Splits an element that, with its white space, is too large for an array of one. */
function* splitElement(text: string, maxBytes: number): Generator<Piece> {
  const bytes = Buffer.from(text);
  if (bytes.length + 2 <= maxBytes) yield { text: `[${text}]` };
  else yield* splitText(bytes, maxBytes);
}

function* splitText(bytes: Buffer, maxBytes: number): Generator<Piece> {
  const ends: number[] = [];
  for (let end = 0; end < bytes.length; ends.push(end)) {
    end = quotableEnd(bytes, end, maxBytes - 2);
  }
  let start = 0;
  for (const [k, end] of ends.entries()) {
    const text = JSON.stringify(bytes.toString("utf8", start, end));
    yield { text, part: { part: k + 1, of: ends.length } };
    start = end;
  }
}

/** The end of the longest run of complete code points that takes at most `room` bytes in a string. */
function quotableEnd(bytes: Buffer, start: number, room: number): number {
  let left = room;
  let end = start;
  for (; end < bytes.length; end++) {
    const c = bytes[end]!;
    // Quotes, backslashes and control characters of white space are escaped with a backslash.
    left -= c === QUOTE || c === BACKSLASH || c < 0x20 ? 2 : 1;
    if (left < 0) break;
  }
  while (end < bytes.length && isContinuation(bytes[end]!)) end--;
  return end;
}

function notJson(): Error {
  return new TypeError("the text to split is not JSON");
}

function isContinuation(c: number): boolean {
  return (c & 0xc0) === 0x80;
}
