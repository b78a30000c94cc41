// Descriptions of schemas and values in words, for validation errors.

import type { TSchema } from "typebox";
import { MAX_INTEGER, TAKES } from "../../../contract/fields.ts";

interface SchemaKeywords {
  type?: string;
  format?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  items?: TSchema;
  [TAKES]?: string;
}

/** Strings that have a format, in words. */
const FORMATS: Record<string, string> = {
  "date-time": 'an instant such as "2027-01-31T09:00:00Z"',
};

/** "a whole number from 1 to 3600" */
export function describe(schema: TSchema): string {
  const keywords = schema as SchemaKeywords;
  if (keywords[TAKES]) return keywords[TAKES];
  if (keywords.enum)
    return `one of ${keywords.enum.map((each) => JSON.stringify(each)).join(", ")}`;
  if (keywords.type === "integer") return `a whole number${range(keywords)}`;
  if (keywords.type === "number") return `a number${range(keywords)}`;
  if (keywords.type === "boolean") return "true or false";
  if (keywords.format) return FORMATS[keywords.format] ?? `a ${keywords.format}`;
  if (keywords.type === "string") return `a string${length(keywords)}`;
  if (keywords.type === "array") return `a list, each ${describe(keywords.items ?? {})}`;
  if (keywords.type === "object") return "a JSON object";
  return "something else";
}

function range({ minimum, maximum }: SchemaKeywords): string {
  if (minimum === undefined) return "";
  const start = `from ${minimum}`;
  return maximum === undefined || maximum === MAX_INTEGER
    ? ` ${start} up`
    : ` ${start} to ${maximum}`;
}

function length({ minLength, maxLength }: SchemaKeywords): string {
  if (maxLength !== undefined) return ` of ${minLength ?? 0} to ${maxLength} characters`;
  return minLength ? " that is not empty" : "";
}

const MAX_SHOWN_LENGTH = 60;

/** A value, truncated; objects and lists only by their kind. */
export function shown(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (value === undefined) return "missing";
  if (typeof value !== "string") return String(value);
  const characters = [...value];
  if (characters.length <= MAX_SHOWN_LENGTH) return JSON.stringify(value);
  const start = JSON.stringify(characters.slice(0, MAX_SHOWN_LENGTH).join(""));
  return `${start}... (${characters.length} characters)`;
}
