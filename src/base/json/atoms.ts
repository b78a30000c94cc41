// Readers of the smallest elements of JSON text. Each function reads the element at `at` and returns
// its end; INCOMPLETE if the chunk ends before it; or ~k, which is negative, if the byte at k is invalid.
// They are plain functions because the engine compiles their loops best that way.

import { BACKSLASH, QUOTE } from "./bytes.ts";

export const INCOMPLETE = 0;

/** 1 for the bytes that `belongs` names. */
function byteTable(belongs: (c: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, c) => (belongs(c) ? 1 : 0));
}

/** Bytes that need no escape in a string: ASCII without control characters, quote and backslash. */
const PLAIN = byteTable((c) => c >= 0x20 && c < 0x80 && c !== QUOTE && c !== BACKSLASH);
const SPACE = byteTable((c) => c === 0x20 || c === 0x09 || c === 0x0a || c === 0x0d);
const DIGIT = byteTable((c) => c >= 0x30 && c <= 0x39);
const HEX = byteTable((c) => /[0-9A-Fa-f]/.test(String.fromCharCode(c)));
const SHORT_ESCAPE = byteTable((c) => '"\\/bfnrt'.includes(String.fromCharCode(c)));

/** A run, possibly empty, of string bytes that need no escape. */
export function plainEnd(chunk: Buffer, at: number): number {
  const length = chunk.length;
  let end = at;
  while (end < length && PLAIN[chunk[end]!] === 1) end++;
  return end;
}

/** A run, possibly empty, of white space. */
export function spaceEnd(chunk: Buffer, at: number): number {
  const length = chunk.length;
  let end = at;
  while (end < length && SPACE[chunk[end]!] === 1) end++;
  return end;
}

/** A run, possibly empty, of digits. */
export function digitsEnd(chunk: Buffer, at: number): number {
  const length = chunk.length;
  let end = at;
  while (end < length && DIGIT[chunk[end]!] === 1) end++;
  return end;
}

/** One digit at `digit`, behind the point, sign or letter that begins at `at`. */
export function digitAfter(chunk: Buffer, digit: number): number {
  if (digit >= chunk.length) return INCOMPLETE;
  return DIGIT[chunk[digit]!] === 1 ? digit + 1 : ~digit;
}

/** The letter, sign and first digit of an exponent. */
export function exponentEnd(chunk: Buffer, at: number): number {
  const sign = chunk[at + 1];
  return digitAfter(chunk, sign === 0x2b || sign === 0x2d ? at + 2 : at + 1);
}

/** An escape; \u with half of a surrogate pair is legal by itself. */
export function escapeEnd(chunk: Buffer, at: number): number {
  if (at + 1 >= chunk.length) return INCOMPLETE;
  const escapeCode = chunk[at + 1]!;
  if (SHORT_ESCAPE[escapeCode] === 1) return at + 2;
  if (escapeCode !== 0x75) return ~(at + 1);
  for (let k = at + 2; k < at + 6; k++) {
    if (k >= chunk.length) return INCOMPLETE;
    if (HEX[chunk[k]!] === 0) return ~k;
  }
  return at + 6;
}

/** One code point beyond ASCII in UTF-8; overlong forms and surrogates are refused (RFC 3629). */
export function codePointEnd(chunk: Buffer, at: number): number {
  const lead = chunk[at]!;
  if (lead < 0xc2 || lead > 0xf4) return ~at;
  const end = at + (lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);
  let low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  let high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  for (let k = at + 1; k < end; k++) {
    if (k >= chunk.length) return INCOMPLETE;
    const c = chunk[k]!;
    if (c < low || c > high) return ~k;
    low = 0x80;
    high = 0xbf;
  }
  return end;
}

/** The bytes of `word`, each given as one character. */
export function wordEnd(chunk: Buffer, at: number, word: string): number {
  for (let k = 0; k < word.length; k++) {
    if (at + k >= chunk.length) return INCOMPLETE;
    if (chunk[at + k] !== word.charCodeAt(k)) return ~(at + k);
  }
  return at + word.length;
}
