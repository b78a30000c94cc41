// The fault of a request whose shape is wrong: an entry "$.path: complaint" for each field.

import { Fault } from "../../../domain/fault.ts";
import type { FieldError } from "../../management/serve/validation-errors.ts";

/** Bounds the size of an entry: a path holds names that the client chose. */
const MAX_PATH_LENGTH = 200;

export function invalidFields(errors: readonly FieldError[]): Fault {
  const entries = errors.map(({ path, complaint }) => `${pathOf(path)}: ${complaint}`);
  const detail = `The request is not valid: ${entries.slice(0, 3).join("; ")}.`;
  return new Fault("invalid_fields", { detail }, { errors: entries });
}

/** $, $.env.PORT or $[0] */
function pathOf(path: string): string {
  const short = path.slice(0, MAX_PATH_LENGTH);
  return short === "" || short.startsWith("[") ? `$${short}` : `$.${short}`;
}
