// Conversion of values to and from PostgreSQL's wire format.

import { type Row, rowBuilder } from "../../row-builder.ts";
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

/** A field of a row, as text; null where the value is null. */
type Field = string | null;
export type RowReader = (fields: Field[]) => Row;

const BYTEA = 17;
/** int8, int2, int4, float4, float8, numeric. Every number in the schema fits a double, as in SQLite. */
const NUMBER_TYPES = new Set([20, 21, 23, 700, 701, 1700]);

/** Reads the rows of a statement. */
export function rowReader(columns: readonly { name: string; dataTypeID: number }[]): RowReader {
  const build = rowBuilder(columns.map(({ name }) => name));
  const decoders = columns.map(({ dataTypeID }) => decoderOf(dataTypeID));
  return (fields) => build(fields.map((field, n) => (field === null ? null : decoders[n]!(field))));
}

function decoderOf(typeId: number): (text: string) => unknown {
  if (NUMBER_TYPES.has(typeId)) return Number;
  if (typeId === BYTEA) return (text) => Buffer.from(text.slice(2), "hex");
  return fromStored;
}
