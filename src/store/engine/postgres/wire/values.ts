// Conversion of values to and from PostgreSQL's wire format.

import type { Value } from "../../statement.ts";
import { fromStored, toStored } from "./text.ts";

/** A value as the message writer takes it. */
export type WireValue = string | Buffer | null;

export function toWire(value: Value): WireValue {
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
/** int8, int2, int4, float4, float8, numeric. Every number in the schema fits a double, as in SQLite. */
const NUMBER_TYPES = new Set([20, 21, 23, 700, 701, 1700]);

export function columnOf(name: string, typeId: number): Column {
  if (NUMBER_TYPES.has(typeId)) return { name, decode: Number };
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
