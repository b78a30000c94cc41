// Validation of request bodies: 422 with an entry for each invalid field.

import type { TSchema } from "typebox";
import { nearestWord } from "../../../base/text/nearest.ts";
import { v2NameOf } from "../../../contract/rest-v2/v1-names.ts";
import { refusedText } from "../../management/serve/refused-text.ts";
import { checkerOf, type ValidationErrors } from "../../management/serve/validation-errors.ts";
import { invalidFields } from "./invalid-fields.ts";

export function bodyReader(schema: TSchema) {
  const check = checkerOf(schema);
  return (body: unknown): unknown => {
    const errors = check(body);
    if (errors === null) {
      const refused = refusedText(body);
      if (refused === null) return body;
      throw invalidFields([refused]);
    }
    const unknown = errors.unknown.map((each) => ({
      path: each.path,
      complaint: hintFor(each),
    }));
    throw invalidFields([...unknown, ...errors.others]);
  };
}

function hintFor({ member, known }: ValidationErrors["unknown"][number]): string {
  const renamed = v2NameOf(member);
  if (renamed) return `unknown field; REST v2 names it "${renamed}"`;
  const suggestion = nearestWord(member, known);
  if (suggestion) return `unknown field; did you mean "${suggestion}"?`;
  return `unknown field; valid fields are ${known.join(", ")}`;
}
