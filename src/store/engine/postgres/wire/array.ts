// PostgreSQL's arrays in their binary form, which the server reads with less work than a literal.

import type { Value } from "../../statement.ts";
import type { ParamType } from "../../text/several.ts";
import { toStored } from "./text.ts";

const TYPE_IDS: Record<ParamType, number> = { text: 25, bigint: 20 };
/** One dimension, whether there are nulls, the type, the length, and the number of the first item. */
const HEAD_BYTES = 20;

export function arrayOf(type: ParamType, values: Value[]): Buffer {
  const items = type === "text" ? values.map(textOf) : values;
  let bytes = HEAD_BYTES + 4 * items.length;
  for (const item of items) if (item !== null) bytes += bytesOf(item);
  const buffer = Buffer.allocUnsafe(bytes);
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(items.includes(null) ? 1 : 0, 4);
  buffer.writeInt32BE(TYPE_IDS[type], 8);
  buffer.writeInt32BE(items.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = HEAD_BYTES;
  for (const item of items) at = writeItem(buffer, item, at);
  return buffer;
}

const textOf = (value: Value) => (value === null ? null : toStored(String(value)));

const bytesOf = (item: Value) => (typeof item === "string" ? Buffer.byteLength(item) : 8);

function writeItem(buffer: Buffer, item: Value, at: number): number {
  if (item === null) return buffer.writeInt32BE(-1, at);
  const from = at + 4;
  const to =
    typeof item === "string"
      ? from + buffer.write(item, from)
      : buffer.writeBigInt64BE(BigInt(item as number | bigint), from);
  buffer.writeInt32BE(to - from, at);
  return to;
}
