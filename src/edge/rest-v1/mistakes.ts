// Turns what a schema found wrong into sentences: which field, what would be right, what came. All
// mistakes of a body are told at once.

import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { Settings } from "typebox/system";
import { describe, shown } from "./describe.ts";

/** Enough to mend a body by, and a bound on what a hostile one makes us say. */
const MOST = 24;
Settings.Set({ maxErrors: MOST * 4 });

export interface Mistakes {
  /** Members that the schema does not know, and what it does know in their place. */
  unknown: { path: string; member: string; known: string[] }[];
  /** Everything else, a sentence each without its full stop. */
  sentences: string[];
}

export type Checker = (value: unknown) => Mistakes | null;

const validators = new WeakMap<TSchema, Validator>();

/** At its first use: all of them would be a fifth of the service's start, and most are never asked for. */
function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const made: Validator = Compile(schema);
  validators.set(schema, made);
  return made;
}

export function checkerOf(schema: TSchema): Checker {
  return (value) => {
    const compiled = validatorOf(schema);
    if (compiled.Check(value)) return null;
    const unknown: Mistakes["unknown"] = [];
    const sentences = new Map<string, string>();
    for (const error of compiled.Errors(value)) {
      if (PARTS.test(error.schemaPath) || error.keyword === "boolean") continue;
      const place = placeOf(schema, value, error.instancePath);
      const { required, additional, names } = membersOf(error);
      if (additional) {
        if (place.schema.additionalProperties !== false) continue;
        const known = Object.keys(place.schema.properties ?? {});
        for (const member of additional.slice(0, MOST)) {
          unknown.push({ path: join(place.path, member), member, known });
        }
      } else if (required) {
        for (const member of required) note(sentences, ...missing(place, member));
      } else if (names) {
        for (const member of names) note(sentences, ...misnamed(place, member));
      } else {
        note(sentences, place.path, wrong(place));
      }
    }
    return { unknown, sentences: [...sentences.values()] };
  };
}

/** Errors inside alternatives and names of members; the whole of them is told instead. */
const PARTS = /\/(anyOf\/\d+|propertyNames)/;

interface Place {
  /** As people write it: env.PORT, ports[1]; empty for the body itself. */
  path: string;
  schema: TSchema & { properties?: Record<string, TSchema>; additionalProperties?: unknown };
  value: unknown;
}

function placeOf(root: TSchema, body: unknown, pointer: string): Place {
  const place: Place = { path: "", schema: root, value: body };
  for (const part of pointer.split("/").slice(1)) {
    const member = part.replaceAll("~1", "/").replaceAll("~0", "~");
    const { properties, items, additionalProperties } = place.schema as Record<string, never>;
    place.path = Array.isArray(place.value) ? `${place.path}[${member}]` : join(place.path, member);
    place.value = (place.value as Record<string, unknown> | undefined)?.[member];
    place.schema = items ?? properties?.[member] ?? additionalProperties ?? {};
  }
  return place;
}

function membersOf(error: { params: object }) {
  const params = error.params as Record<string, string[] | undefined>;
  return {
    required: params.requiredProperties,
    additional: params.additionalProperties,
    names: params.propertyNames,
  };
}

function note(sentences: Map<string, string>, path: string, sentence: string): void {
  if (sentences.size < MOST && !sentences.has(path)) sentences.set(path, sentence);
}

function missing(place: Place, member: string): [string, string] {
  const path = join(place.path, member);
  const takes = describe(place.schema.properties?.[member] ?? {});
  return [path, `"${path}" is missing; it must be ${takes}`];
}

function misnamed(place: Place, member: string): [string, string] {
  const path = join(place.path, member);
  const takes = describe((place.schema as { propertyNames?: TSchema }).propertyNames ?? {});
  return [path, `"${place.path}" has the name ${shown(member)}; a name takes ${takes}`];
}

function wrong({ path, schema, value }: Place): string {
  const subject = path === "" ? "The body" : `"${path}"`;
  const takes = `${subject} must be ${describe(schema)}`;
  // What is never shown again is not shown in a refusal either.
  return (schema as { writeOnly?: boolean }).writeOnly ? takes : `${takes}; it is ${shown(value)}`;
}

function join(path: string, member: string): string {
  return path === "" ? member : `${path}.${member}`;
}
