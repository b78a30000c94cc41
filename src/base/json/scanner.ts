// A scanner that checks that a body is JSON (RFC 8259, in valid UTF-8) and finds its top-level members
// without parsing it, so that a client's bytes can be passed on unchanged. A body is fed as its chunks
// arrive, so a large one does not block the event loop.
//
// Escapes, code points, literals and known keys are never read across two chunks: the bytes of an
// incomplete one at the end of a chunk are held back and read again before the next chunk.

import * as atoms from "./atoms.ts";
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
} from "./bytes.ts";
import { endsEarly, type JsonFault, tooDeep, unexpected } from "./fault.ts";
import { Intake } from "./intake.ts";
import type { KeyTable } from "./keys.ts";
import { type JsonKind, Outline, type Scanned } from "./outline.ts";
import { TopLevelKey } from "./top-level-key.ts";

export interface ScanOptions {
  /** How deep objects and arrays may nest. */
  maxDepth: number;
  /** The top-level members to find; others are checked and skipped. */
  keys: KeyTable;
  /** Reads NaN, Infinity and -Infinity, which Python's encoder writes, as null. */
  lenient?: boolean;
}

/** Scans a body that is in one buffer. Throws JsonFault. */
export function scan(bytes: Buffer, options: ScanOptions): Scanned {
  const scanner = new JsonScanner(options);
  scanner.feed(bytes);
  return scanner.end();
}

// The expected next element. From IN_KEY on, white space is not skipped; from IN_ZERO on, it is a number.
const START = 0;
const VALUE = 1;
const VALUE_OR_CLOSE = 2;
const KEY = 3;
const KEY_OR_CLOSE = 4;
const AFTER_KEY = 5;
const AFTER_VALUE = 6;
const IN_KEY = 7;
const IN_STRING = 8;
const IN_ZERO = 9;
const IN_INTEGER = 10;
const IN_FRACTION = 11;
const IN_EXPONENT = 12;

const BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

/** Scans one body; not usable after it threw. */
export class JsonScanner {
  readonly #maxDepth: number;
  readonly #lenient: boolean;

  readonly #intake = new Intake();
  readonly #outline = new Outline();
  readonly #key: TopLevelKey;
  #state = START;
  #depth = 0;
  /** Whether the innermost container is an object, and the same for the outer ones. */
  #inObject = false;
  readonly #outer: boolean[] = [];

  constructor({ maxDepth, keys, lenient = false }: ScanOptions) {
    this.#maxDepth = maxDepth;
    this.#lenient = lenient;
    this.#key = new TopLevelKey(keys, this.#intake, this.#outline);
  }

  /** Reads the next chunk. The bytes are kept, not copied, and must not change. Throws JsonFault. */
  feed(bytes: Buffer): void {
    const chunk = this.#intake.open(bytes);
    let at = 0;
    while (at < chunk.length) at = this.#step(chunk, at);
    if (this.#key.suspend(chunk)) this.#state = KEY;
    this.#intake.close(chunk);
  }

  /** Returns the result. Throws JsonFault if the text is incomplete. */
  end(): Scanned {
    const { body, receivedBytes: received, heldBytes } = this.#intake;
    if (this.#state >= IN_ZERO && heldBytes === 0) this.#endValue(0);
    if (this.#state !== AFTER_VALUE || this.#depth > 0) throw endsEarly(received + heldBytes);
    const { kind, start, end, members, otherKeys } = this.#outline;
    return { kind, start, end, members, otherKeys, bytes: received, body };
  }

  /** Reads one element at `at` and returns the position after it. */
  #step(chunk: Buffer, at: number): number {
    if (this.#state >= IN_ZERO) return this.#number(chunk, at);
    if (this.#state >= IN_KEY) return this.#string(chunk, at);
    const c = chunk[at]!;
    if (c <= SPACE) {
      const end = atoms.spaceEnd(chunk, at);
      if (end > at) return end;
    }
    switch (this.#state) {
      case KEY:
      case KEY_OR_CLOSE:
        return this.#keyOrClose(chunk, at, c);
      case AFTER_KEY:
        if (c !== COLON) throw this.#expected('":"', at);
        this.#state = VALUE;
        return at + 1;
      case AFTER_VALUE:
        return this.#commaOrClose(at, c);
      default:
        return this.#value(chunk, at, c);
    }
  }

  #value(chunk: Buffer, at: number, c: number): number {
    switch (c) {
      case QUOTE:
        this.#beginValue("string", at);
        this.#state = IN_STRING;
        return this.#string(chunk, at + 1);
      case OPEN_OBJECT:
        return this.#open("object", at);
      case OPEN_ARRAY:
        return this.#open("array", at);
      case 0x74:
        return this.#literal(chunk, at, "true");
      case 0x66:
        return this.#literal(chunk, at, "false");
      case 0x6e:
        return this.#literal(chunk, at, "null");
      case 0x2d:
        if (this.#lenient && chunk[at + 1] === 0x49) return this.#nonFinite(chunk, at, "-Infinity");
        return this.#negative(chunk, at);
      default:
        if (c >= 0x30 && c <= 0x39) {
          this.#beginValue("number", at);
          this.#state = c === 0x30 ? IN_ZERO : IN_INTEGER;
          return this.#number(chunk, at + 1);
        }
        return this.#notAValue(chunk, at, c);
    }
  }

  /** Handles a byte in the place of a value that does not begin one. */
  #notAValue(chunk: Buffer, at: number, c: number): number {
    if (c === CLOSE_ARRAY && this.#state === VALUE_OR_CLOSE) return this.#close(at);
    if (c === 0x4e && this.#lenient) return this.#nonFinite(chunk, at, "NaN");
    if (c === 0x49 && this.#lenient) return this.#nonFinite(chunk, at, "Infinity");
    if (c === 0xef && this.#state === START && this.#intake.receivedBytes + at === 0) {
      const end = this.#atom(chunk, at, atoms.wordEnd(chunk, at, BYTE_ORDER_MARK), "a value");
      if (this.#intake.holdFrom < 0) this.#state = VALUE;
      return end;
    }
    throw this.#expected(this.#state === VALUE_OR_CLOSE ? 'a value or "]"' : "a value", at);
  }

  #open(kind: "object" | "array", at: number): number {
    if (this.#depth === this.#maxDepth)
      throw tooDeep(this.#maxDepth, this.#intake.receivedBytes + at);
    this.#beginValue(kind, at);
    this.#outer[this.#depth++] = this.#inObject;
    this.#inObject = kind === "object";
    this.#state = this.#inObject ? KEY_OR_CLOSE : VALUE_OR_CLOSE;
    return at + 1;
  }

  #close(at: number): number {
    this.#inObject = this.#outer[--this.#depth]!;
    this.#endValue(at + 1);
    return at + 1;
  }

  #keyOrClose(chunk: Buffer, at: number, c: number): number {
    if (c === QUOTE) {
      if (this.#depth === 1) this.#key.begin(at);
      this.#state = IN_KEY;
      return this.#string(chunk, at + 1);
    }
    if (this.#state === KEY) throw this.#expected("a key in double quotes", at);
    if (c !== CLOSE_OBJECT) throw this.#expected('a key in double quotes or "}"', at);
    return this.#close(at);
  }

  #commaOrClose(at: number, c: number): number {
    if (this.#depth === 0) throw this.#expected("nothing after the value", at);
    if (c === COMMA) {
      this.#state = this.#inObject ? KEY : VALUE;
      return at + 1;
    }
    if (c === (this.#inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return this.#close(at);
    throw this.#expected(this.#inObject ? '"," or "}"' : '"," or "]"', at);
  }

  #string(chunk: Buffer, from: number): number {
    let at = atoms.plainEnd(chunk, from);
    while (at < chunk.length) {
      const c = chunk[at]!;
      if (c === QUOTE) return this.#endString(chunk, at);
      if (c === BACKSLASH) {
        at = this.#atom(chunk, at, atoms.escapeEnd(chunk, at), "an escape such as \\n or \\u000a");
      } else if (c >= 0x80) {
        at = this.#atom(chunk, at, atoms.codePointEnd(chunk, at), "valid UTF-8");
      } else {
        throw this.#expected("an escape for the control character", at);
      }
      at = atoms.plainEnd(chunk, at);
    }
    return at;
  }

  #endString(chunk: Buffer, at: number): number {
    if (this.#state === IN_STRING) {
      this.#endValue(at + 1);
    } else {
      this.#state = AFTER_KEY;
      if (this.#depth === 1) this.#key.end(chunk, at);
    }
    return at + 1;
  }

  #negative(chunk: Buffer, at: number): number {
    const end = this.#atom(chunk, at, atoms.digitAfter(chunk, at + 1), "a digit");
    if (this.#intake.holdFrom >= 0) return end;
    this.#beginValue("number", at);
    this.#state = chunk[at + 1] === 0x30 ? IN_ZERO : IN_INTEGER;
    return end;
  }

  #number(chunk: Buffer, from: number): number {
    const at = this.#state === IN_ZERO ? from : atoms.digitsEnd(chunk, from);
    if (at === chunk.length) return at;
    const c = chunk[at]!;
    if (c === 0x2e && this.#state < IN_FRACTION) {
      const end = this.#atom(chunk, at, atoms.digitAfter(chunk, at + 1), "a digit");
      if (this.#intake.holdFrom < 0) this.#state = IN_FRACTION;
      return end;
    }
    if ((c === 0x65 || c === 0x45) && this.#state < IN_EXPONENT) {
      const end = this.#atom(chunk, at, atoms.exponentEnd(chunk, at), "a digit");
      if (this.#intake.holdFrom < 0) this.#state = IN_EXPONENT;
      return end;
    }
    this.#endValue(at);
    return at;
  }

  #literal(chunk: Buffer, at: number, word: "true" | "false" | "null"): number {
    const end = this.#atom(chunk, at, atoms.wordEnd(chunk, at, word), word);
    if (this.#intake.holdFrom >= 0) return end;
    this.#beginValue(word, at);
    this.#endValue(end);
    return end;
  }

  #nonFinite(chunk: Buffer, at: number, word: string): number {
    const end = this.#atom(chunk, at, atoms.wordEnd(chunk, at, word), word);
    if (this.#intake.holdFrom >= 0) return end;
    this.#beginValue("null", at);
    this.#intake.nullify(chunk, at, end);
    this.#endValue(end);
    return end;
  }

  #beginValue(kind: JsonKind, at: number): void {
    if (this.#depth <= 1) this.#outline.begin(kind, this.#depth, this.#intake.storedBytes + at);
  }

  #endValue(at: number): void {
    this.#state = AFTER_VALUE;
    if (this.#depth <= 1) this.#outline.finish(this.#depth, this.#intake.storedBytes + at);
  }

  /** Where to go on after an atom: at the end of the chunk, if that breaks off in the atom. */
  #atom(chunk: Buffer, at: number, end: number, expected: string): number {
    if (end > 0) return end;
    if (end < 0) throw this.#expected(expected, ~end);
    this.#intake.holdFrom = at;
    return chunk.length;
  }

  #expected(what: string, at: number): JsonFault {
    return unexpected(what, this.#intake.receivedBytes + at);
  }
}
