// Says in words what a schema takes, and what came instead.

import type { TSchema } from "typebox";
import { LARGEST, TAKES } from "../../contract/fields.ts";

interface Known {
  type?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  items?: TSchema;
  [TAKES]?: string;
}

/** "a whole number from 1 to 3600" */
export function describe(schema: TSchema): string {
  const known = schema as Known;
  if (known[TAKES]) return known[TAKES];
  if (known.enum) return `one of ${known.enum.map((each) => JSON.stringify(each)).join(", ")}`;
  if (known.type === "integer") return `a whole number${range(known)}`;
  if (known.type === "number") return `a number${range(known)}`;
  if (known.type === "boolean") return "true or false";
  if (known.type === "string") return `a string${length(known)}`;
  if (known.type === "array") return `a list, each ${describe(known.items ?? {})}`;
  if (known.type === "object") return "a JSON object";
  return "something else";
}

function range({ minimum, maximum }: Known): string {
  if (minimum === undefined) return "";
  const least = `from ${minimum}`;
  return maximum === undefined || maximum === LARGEST ? ` ${least} up` : ` ${least} to ${maximum}`;
}

function length({ minLength, maxLength }: Known): string {
  if (maxLength !== undefined) return ` of ${minLength ?? 0} to ${maxLength} characters`;
  return minLength ? " that is not empty" : "";
}

const LONGEST_SHOWN = 60;

/** A value as it came, cut short; objects and lists by their kind alone. */
export function shown(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (value === undefined) return "missing";
  if (typeof value !== "string") return String(value);
  const characters = [...value];
  if (characters.length <= LONGEST_SHOWN) return JSON.stringify(value);
  const start = JSON.stringify(characters.slice(0, LONGEST_SHOWN).join(""));
  return `${start}... (${characters.length} characters)`;
}
