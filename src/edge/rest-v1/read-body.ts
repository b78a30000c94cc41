// A body on its way in: checked by its schema, refused with everything that is wrong with it.

import type { TObject, TSchema } from "typebox";
import { nearest } from "../../base/nearest.ts";
import { Fault } from "../../domain/fault.ts";
import { checkerOf, type Mistakes } from "./mistakes.ts";

/** Checks a body; throws the fault that names every mistake. `seen` is what can be read but not set. */
export function bodyReader(schema: TSchema, seen: TSchema | undefined) {
  const check = checkerOf(schema);
  const readOnly = Object.keys((seen as TObject | undefined)?.properties ?? {});
  return (body: unknown): unknown => {
    const mistakes = check(body ?? {});
    if (mistakes === null) return body ?? {};
    throw faultOf(mistakes, readOnly);
  };
}

function faultOf({ unknown, sentences }: Mistakes, readOnly: string[]): Fault {
  const others = sentences.map((sentence) => `${sentence}.`);
  if (unknown.length === 0) return new Fault("invalid_body", { detail: others.join(" ") });
  const field = unknown.map(({ path }) => path.slice(0, LONGEST)).join('", "');
  const hints = unknown.map((each) => hintFor(each, readOnly));
  return new Fault("unknown_field", { field, hint: [...hints, ...others].join(" ") });
}

const LONGEST = 100;

function hintFor({ path, member, known }: Mistakes["unknown"][number], readOnly: string[]) {
  if (readOnly.includes(path)) return `"${path}" cannot be set here.`;
  const meant = nearest(member, known);
  return meant ? `Did you mean "${meant}"?` : `There are ${known.join(", ")}.`;
}
