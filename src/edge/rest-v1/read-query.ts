// A query on its way in: the parameters its schema knows, each brought to its type. Parameters that
// nobody knows are ignored, for clients send those of newer versions.

import type { TObject, TSchema } from "typebox";
import { Fault } from "../../domain/fault.ts";
import { describe, shown } from "./describe.ts";
import { checkerOf } from "./mistakes.ts";

export function queryReader(schema: TObject) {
  const checks = Object.entries(schema.properties).map(([name, member]) => {
    return { name, member, check: checkerOf(member) };
  });
  return (query: Record<string, string | string[] | undefined>): Record<string, unknown> => {
    const read: Record<string, unknown> = {};
    const mistakes: string[] = [];
    for (const { name, member, check } of checks) {
      const given = query[name];
      if (given === undefined || given === "") continue;
      const value = converted(given, member);
      if (check(value) === null) read[name] = value;
      else mistakes.push(`"${name}" must be ${describe(member)}; it is ${shown(given)}.`);
    }
    if (mistakes.length > 0) throw new Fault("invalid_query", { detail: mistakes.join(" ") });
    return read;
  };
}

const booleans: Record<string, boolean> = { true: true, 1: true, false: false, 0: false };

function converted(given: string | string[], schema: TSchema): unknown {
  const { type } = schema as { type?: string };
  if (type === "array") return [given].flat();
  if (typeof given !== "string") return given;
  if (type === "boolean") return booleans[given] ?? given;
  if (type === "integer") return /^-?\d+$/.test(given) ? Number(given) : given;
  return given;
}
