// Validation of query parameters, each converted to its schema's type. Unknown parameters are ignored,
// because clients send parameters of newer versions.

import type { TObject, TSchema } from "typebox";
import { COMMAS } from "../../../contract/fields.ts";
import { Fault } from "../../../domain/fault.ts";
import { describe, shown } from "./describe-schema.ts";
import { checkerOf } from "./validation-errors.ts";

export function queryReader(schema: TObject) {
  const checks = Object.entries(schema.properties).map(([name, member]) => {
    return { name, member, check: checkerOf(member) };
  });
  return (query: Record<string, string | string[] | undefined>): Record<string, unknown> => {
    const read: Record<string, unknown> = {};
    const errors: string[] = [];
    for (const { name, member, check } of checks) {
      const text = query[name];
      if (text === undefined || text === "") continue;
      const value = convert(text, member);
      if (check(value) === null) read[name] = value;
      else errors.push(`"${name}" must be ${describe(member)}; it is ${shown(text)}.`);
    }
    if (errors.length > 0) throw new Fault("invalid_query", { detail: errors.join(" ") });
    return read;
  };
}

const booleans: Record<string, boolean> = { true: true, 1: true, false: false, 0: false };

/** The value that the text of a parameter stands for; the text itself if it has another form. */
export function convert(text: string | string[], schema: TSchema): unknown {
  const { type, [COMMAS]: joined } = schema as { type?: string; [COMMAS]?: boolean };
  if (type === "array") return joined ? splitAll([text].flat()) : [text].flat();
  if (typeof text !== "string") return text;
  if (type === "boolean") return booleans[text] ?? text;
  if (type === "integer") return /^-?\d+$/.test(text) ? Number(text) : text;
  return text;
}

const splitAll = (texts: string[]) =>
  texts.flatMap((text) => text.split(",").map((part) => part.trim())).filter((part) => part !== "");
