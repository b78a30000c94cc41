// Validation errors: the field, the accepted values and the actual value. All errors of a body are
// reported together.

import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { Format } from "typebox/format";
import { Settings } from "typebox/system";
import { describe, shown } from "./describe-schema.ts";

/** Bounds the size of an error response. */
const MAX_ERRORS = 24;
Settings.Set({ maxErrors: MAX_ERRORS * 4 });

// A leap second and the name of a time zone after the offset are of the format, but are not read as an instant.
const isDateTime = Format.IsDateTime;
Format.Set("date-time", (text) => isDateTime(text) && !Number.isNaN(Date.parse(text)));

export interface ValidationErrors {
  /** Unknown members, with the members that the schema has in their place. */
  unknown: { path: string; member: string; known: string[] }[];
  /** All other errors, one for each path. */
  others: FieldError[];
}

export interface FieldError {
  /** In the form env.PORT or ports[1]; empty for the body itself. */
  path: string;
  /** What is wrong with it, to follow its name: "must be true or false; it is 7". */
  complaint: string;
}

/** "env.PORT" must be a string; it is 7 */
export function sentenceOf({ path, complaint }: FieldError): string {
  return `${path === "" ? "The body" : `"${path}"`} ${complaint}`;
}

export type Checker = (value: unknown) => ValidationErrors | null;

const validators = new WeakMap<TSchema, Validator>();

/** Compiles a schema at its first use. Compiling all schemas would take a fifth of the service's start. */
function validatorOf(schema: TSchema): Validator {
  const cached = validators.get(schema);
  if (cached) return cached;
  const validator: Validator = Compile(schema);
  validators.set(schema, validator);
  return validator;
}

export function checkerOf(schema: TSchema): Checker {
  return (value) => {
    const compiled = validatorOf(schema);
    if (compiled.Check(value)) return null;
    const unknown: ValidationErrors["unknown"] = [];
    const found = new Map<string, FieldError>();
    for (const error of compiled.Errors(value)) {
      if (NESTED_ERROR.test(error.schemaPath) || error.keyword === "boolean") continue;
      const place = placeOf(schema, value, error.instancePath);
      const variant = variantOf(place);
      if (variant) {
        const within = checkerOf(variant)(place.value);
        const prefixed = <Error extends FieldError | ValidationErrors["unknown"][number]>(
          each: Error,
        ) => ({ ...each, path: join(place.path, each.path) });
        unknown.push(...(within?.unknown ?? []).map(prefixed));
        for (const each of within?.others ?? []) addError(found, prefixed(each));
        continue;
      }
      const { required, additional, names } = membersOf(error);
      if (additional) {
        if (place.schema.additionalProperties !== false) continue;
        const known = Object.keys(place.schema.properties ?? {});
        for (const member of additional.slice(0, MAX_ERRORS)) {
          unknown.push({ path: join(place.path, member), member, known });
        }
      } else if (required) {
        for (const member of required) addError(found, missingMember(place, member));
      } else if (names) {
        for (const member of names) {
          addError(found, invalidName(place, member), join(place.path, member));
        }
      } else {
        addError(found, { path: place.path, complaint: invalidValue(place) });
      }
    }
    return { unknown, others: [...found.values()] };
  };
}

/** Schema paths of nested errors; the error of the whole value is reported instead. */
const NESTED_ERROR = /\/(anyOf\/\d+|propertyNames)/;

interface Place {
  /** In the form env.PORT or ports[1]; empty for the body itself. */
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

/** One error for each key, which is the path unless several errors have the same path. */
function addError(found: Map<string, FieldError>, error: FieldError, key = error.path): void {
  if (found.size < MAX_ERRORS && !found.has(key)) found.set(key, error);
}

/** The variant of a union that an object is closest to, so that errors name the wrong member. */
function variantOf({ schema, value }: Place): TSchema | null {
  const { anyOf, discriminator } = schema as {
    anyOf?: TSchema[];
    discriminator?: { propertyName: string };
  };
  if (!anyOf || typeof value !== "object" || value === null || Array.isArray(value)) return null;
  if (!discriminator) return closestVariant(anyOf, value);
  const name = (value as Record<string, unknown>)[discriminator.propertyName];
  const isNamed = (variant: TSchema) => {
    const { properties } = variant as { properties: Record<string, { enum?: unknown[] }> };
    return properties[discriminator.propertyName]?.enum?.includes(name);
  };
  return anyOf.find(isNamed) ?? anyOf[0]!;
}

/** The first of the variants with the most members of the value; null if none is an object with members. */
function closestVariant(variants: TSchema[], value: object): TSchema | null {
  let closest: TSchema | null = null;
  let max = -1;
  for (const variant of variants) {
    const { properties } = variant as { properties?: object };
    if (!properties) continue;
    const count = Object.keys(value).filter((name) => Object.hasOwn(properties, name)).length;
    if (count > max) [closest, max] = [variant, count];
  }
  return closest;
}

function missingMember(place: Place, member: string): FieldError {
  const path = join(place.path, member);
  const takes = describe(place.schema.properties?.[member] ?? {});
  return { path, complaint: `is missing; it must be ${takes}` };
}

function invalidName(place: Place, member: string): FieldError {
  const takes = describe((place.schema as { propertyNames?: TSchema }).propertyNames ?? {});
  const complaint = `has the name ${shown(member)}; a name must have ${takes}`;
  return { path: place.path, complaint };
}

function invalidValue({ schema, value }: Place): string {
  const takes = `must be ${describe(schema)}`;
  // A write-only value is not repeated in an error.
  return (schema as { writeOnly?: boolean }).writeOnly ? takes : `${takes}; it is ${shown(value)}`;
}

function join(path: string, member: string): string {
  if (member === "") return path;
  return path === "" ? member : `${path}.${member}`;
}
