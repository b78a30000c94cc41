// Validation of query parameters. A list is one value with commas; unknown parameters are ignored.

import type { TObject, TSchema } from "typebox";
import { REPEATS } from "../../../contract/fields.ts";
import { describe, shown } from "../../management/serve/describe-schema.ts";
import { convert } from "../../management/serve/read-query.ts";
import { checkerOf, type FieldError } from "../../management/serve/validation-errors.ts";
import { invalidFields } from "./invalid-fields.ts";

export function queryReader(schema: TObject) {
  const checks = Object.entries(schema.properties).map(([name, member]) => {
    return { name, member, check: checkerOf(member) };
  });
  return (query: Record<string, string | string[] | undefined>): Record<string, unknown> => {
    const read: Record<string, unknown> = {};
    const errors: FieldError[] = [];
    for (const { name, member, check } of checks) {
      const text = query[name];
      if (text === undefined) continue;
      const value = parameterValue(text, member);
      if (check(value) === null) read[name] = value;
      else
        errors.push({ path: name, complaint: `must be ${describe(member)}; it is ${shown(text)}` });
    }
    if (errors.length > 0) throw invalidFields(errors);
    return read;
  };
}

function parameterValue(text: string | string[], schema: TSchema): unknown {
  const { type } = schema as { type?: string };
  if (type !== "array") return convert(text, schema);
  if (REPEATS in schema) return typeof text === "string" ? [text] : text;
  // A repeated parameter stays invalid.
  return typeof text === "string" ? text.split(",").map((item) => item.trim()) : null;
}
