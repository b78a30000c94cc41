// Values on their way to PostgreSQL and back.

import type { Value } from "../../statement.ts";
import { fromStored, toStored } from "./text.ts";

/** What the client library writes as it is: a text, bytes or null. */
export type Wire = string | Buffer | null;

export function toWire(value: Value): Wire {
  if (value === null) return null;
  if (typeof value === "string") return toStored(value);
  if (typeof value !== "object") return String(value);
  return Buffer.isBuffer(value)
    ? value
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

export interface Column {
  name: string;
  decode: (text: string) => unknown;
}

const BYTEA = 17;
/** int8, int2, int4, float4, float8, numeric: what we count fits a double, as it does in SQLite. */
const NUMBERS = new Set([20, 21, 23, 700, 701, 1700]);

export function columnOf(name: string, typeId: number): Column {
  if (NUMBERS.has(typeId)) return { name, decode: Number };
  if (typeId === BYTEA) return { name, decode: (text) => Buffer.from(text.slice(2), "hex") };
  return { name, decode: fromStored };
}

export function rowOf(columns: Column[], fields: (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let n = 0; n < columns.length; n++) {
    const { name, decode } = columns[n]!;
    const field = fields[n]!;
    row[name] = field === null ? null : decode(field);
  }
  return row;
}
