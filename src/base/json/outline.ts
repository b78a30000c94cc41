// What a scanner found out about a body: what it is, and where its top-level members lie.

import type { Body, Span } from "./body.ts";

export type JsonKind = "object" | "array" | "string" | "number" | "true" | "false" | "null";

/** One value: what it is, and which bytes of the body spell it. */
export interface JsonValue extends Span {
  kind: JsonKind;
}

/** The value itself, without a byte order mark or white space around it. */
export interface Scanned extends JsonValue {
  /** How many bytes were received. */
  bytes: number;
  /** The members looked for, if the value is an object. */
  members: ReadonlyMap<string, JsonValue>;
  body: Body;
}

/** Told where each value at depth 0 or 1 begins and ends; deeper ones are passed over. */
export class Outline {
  /** Of two members with one key the last one counts, as it does for JSON.parse. */
  readonly members = new Map<string, JsonValue>();
  kind: JsonKind = "null";
  start = 0;
  end = 0;
  /** The key whose value comes next, if it is one of those looked for. */
  key: string | undefined = undefined;
  #memberKind: JsonKind = "null";
  #memberStart = 0;

  begin(kind: JsonKind, depth: number, offset: number): void {
    if (depth === 0) {
      this.kind = kind;
      this.start = offset;
    } else if (depth === 1) {
      this.#memberKind = kind;
      this.#memberStart = offset;
    }
  }

  finish(depth: number, offset: number): void {
    if (depth === 0) {
      this.end = offset;
    } else if (depth === 1 && this.key !== undefined) {
      const value = { kind: this.#memberKind, start: this.#memberStart, end: offset };
      this.members.set(this.key, value);
      this.key = undefined;
    }
  }
}
