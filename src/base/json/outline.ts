// The result of a scan: the kind of the body's value and the spans of its top-level members.

import type { Body, TextSpan } from "./body.ts";

export type JsonKind = "object" | "array" | "string" | "number" | "true" | "false" | "null";

/** One value: its kind and its span in the body. */
export interface JsonValue extends TextSpan {
  kind: JsonKind;
}

/** The value itself, without a byte order mark or white space around it. */
export interface Scanned extends JsonValue {
  /** The number of received bytes. */
  bytes: number;
  /** The members of the key table, if the value is an object. */
  members: ReadonlyMap<string, JsonValue>;
  /** Spans of the first other keys, with their quotes. */
  otherKeys: readonly TextSpan[];
  body: Body;
}

/** Bounds what is remembered of a body with many other members. */
const MAX_OTHER_KEYS = 24;

/** Receives the start and the end of each value at depth 0 or 1; deeper values are skipped. */
export class Outline {
  /** The values by key; of two members with the same key the last one counts, as with JSON.parse. */
  readonly members = new Map<string, JsonValue>();
  readonly otherKeys: TextSpan[] = [];
  kind: JsonKind = "null";
  start = 0;
  end = 0;
  /** The key whose value comes next, if it is in the key table. */
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

  otherKey(key: TextSpan): void {
    if (this.otherKeys.length < MAX_OTHER_KEYS) this.otherKeys.push(key);
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
