// Validation of request bodies against their schemas. The fault lists every error of a body.

import type { Static, TObject, TSchema } from "typebox";
import { nearestWord } from "../../../base/text/nearest.ts";
import { Fault } from "../../../domain/fault.ts";
import { refusedText } from "./refused-text.ts";
import { checkerOf, sentenceOf, type ValidationErrors } from "./validation-errors.ts";

/** Returns a function that validates a body and throws a fault. Fields only in `responseSchema` are read-only. */
export function bodyReader<Schema extends TSchema>(
  schema: Schema,
  responseSchema: TSchema | undefined,
) {
  const check = checkerOf(schema);
  const readOnly = Object.keys((responseSchema as TObject | undefined)?.properties ?? {});
  return (body: unknown): Static<Schema> => {
    const errors = check(body ?? {});
    if (errors !== null) throw bodyFault(errors, readOnly);
    const refused = refusedText(body);
    if (refused === null) return (body ?? {}) as Static<Schema>;
    const detail = `"${refused.path.slice(0, MAX_PATH_LENGTH)}" ${refused.complaint}.`;
    throw new Fault("invalid_body", { detail });
  };
}

export function bodyFault({ unknown, others }: ValidationErrors, readOnly: string[] = []): Fault {
  const sentences = others.map((each) => `${sentenceOf(each)}.`);
  if (unknown.length === 0) return new Fault("invalid_body", { detail: sentences.join(" ") });
  const field = unknown.map(({ path }) => path.slice(0, MAX_PATH_LENGTH)).join('", "');
  const hints = unknown.map((each) => hintFor(each, readOnly));
  return new Fault("unknown_field", { field, hint: [...hints, ...sentences].join(" ") });
}

const MAX_PATH_LENGTH = 100;

function hintFor({ path, member, known }: ValidationErrors["unknown"][number], readOnly: string[]) {
  if (readOnly.includes(path)) return `"${path}" cannot be set here.`;
  const suggestion = nearestWord(member, known);
  return suggestion ? `Did you mean "${suggestion}"?` : `Valid fields are ${known.join(", ")}.`;
}
