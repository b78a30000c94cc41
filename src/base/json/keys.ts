// A table of the member names that a reader looks for, arranged so that a name is recognized in the
// bytes of a body without creating a string. Created once per kind of body, not once per body.

import { BACKSLASH } from "./bytes.ts";

export class KeyTable {
  /** The longest spelling of a key: each UTF-16 unit takes at most six bytes, as \uXXXX. */
  readonly longestBytes: number;
  readonly #names: ReadonlySet<string>;
  readonly #byLength: { name: string; bytes: Buffer }[][] = [];

  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
    let longest = 0;
    for (const name of this.#names) {
      const bytes = Buffer.from(name);
      longest = Math.max(longest, name.length);
      while (this.#byLength.length <= bytes.length) this.#byLength.push([]);
      this.#byLength[bytes.length]!.push({ name, bytes });
    }
    this.longestBytes = 6 * longest;
  }

  /** The key that the valid JSON string between the quotes at start - 1 and end spells, if it is in the table. */
  match(text: Buffer, start: number, end: number): string | undefined {
    const length = end - start;
    if (length > this.longestBytes) return undefined;
    const candidates = this.#byLength[length];
    if (candidates !== undefined) {
      for (const { name, bytes } of candidates) if (startsWith(text, start, bytes)) return name;
    }
    for (let at = start; at < end; at++) {
      if (text[at] === BACKSLASH) return this.#decode(text, start, end);
    }
    return undefined;
  }

  #decode(text: Buffer, start: number, end: number): string | undefined {
    const name: string = JSON.parse(text.toString("utf8", start - 1, end + 1));
    return this.#names.has(name) ? name : undefined;
  }
}

function startsWith(text: Buffer, start: number, bytes: Buffer): boolean {
  for (let k = 0; k < bytes.length; k++) if (text[start + k] !== bytes[k]) return false;
  return true;
}
