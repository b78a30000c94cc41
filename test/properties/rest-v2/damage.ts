// A body with one mistake at a known path: a value of another kind, an unknown or a missing member, or a NUL
// character in a text.

import fc from "fast-check";
import type { TSchema } from "typebox";
import { Check } from "typebox/value";
import type { Keywords } from "./valid-bodies.ts";

export interface Damaged {
  body: unknown;
  /** The path as an error names it: $.env.PORT, $.ports[1] or $. */
  place: string;
  how: string;
}

interface Place {
  path: string;
  schema: Keywords;
  value: unknown;
  /** The body with another value at this place. */
  replaced: (value: unknown) => unknown;
}

const others: unknown[] = [null, true, 7, -1, 1.5, 1e300, "", "text", [], [7], {}, { a: 1 }];
const strange = ["unknown", "imageName", "constructor", "toString", "a b", "é", "0"];

export function damagedOf(schema: Keywords, body: unknown): fc.Arbitrary<Damaged> {
  const places = [...placesIn(schema, body)];
  return fc.oneof(...places.map(damagesAt).filter((each) => each !== null));
}

function damagesAt(place: Place): fc.Arbitrary<Damaged> | null {
  const damages = [
    ...otherValues(place),
    ...missingMembers(place),
    ...unknownMembers(place),
    ...(typeof place.value === "string" ? [withNul(place, place.value)] : []),
  ];
  return damages.length === 0 ? null : fc.constantFrom(...damages);
}

function otherValues({ schema, path, replaced }: Place): Damaged[] {
  const wrong = others.filter(
    (value) => !Check(schema as TSchema, value) && isNamed(schema, value),
  );
  return wrong.map((value) => ({
    body: replaced(value),
    place: path,
    how: `${JSON.stringify(value)} in its place`,
  }));
}

/** An object in the place of an object is damaged at its members, which the error names instead. */
function isNamed(schema: Keywords, value: unknown): boolean {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (isObject && (schema.properties || schema.additionalProperties || schema.anyOf)) return false;
  return !(Array.isArray(value) && value.length > 0 && schema.type === "array");
}

function missingMembers({ schema, value, path, replaced }: Place): Damaged[] {
  if (!isMembers(schema, value)) return [];
  return (schema.required ?? []).map((name) => {
    const { [name]: _, ...rest } = value;
    return { body: replaced(rest), place: `${path}.${name}`, how: "missing" };
  });
}

function unknownMembers({ schema, value, path, replaced }: Place): Damaged[] {
  if (!isMembers(schema, value) || schema.additionalProperties !== false) return [];
  const names = strange.filter((name) => !Object.hasOwn(schema.properties ?? {}, name));
  return names.map((name) => {
    return { body: replaced({ ...value, [name]: 1 }), place: `${path}.${name}`, how: "unknown" };
  });
}

function withNul({ path, replaced }: Place, text: string): Damaged {
  return { body: replaced(`${text}\0`), place: path, how: "a NUL character" };
}

function isMembers(schema: Keywords, value: unknown): value is Record<string, unknown> {
  return schema.properties !== undefined && typeof value === "object" && value !== null;
}

function* placesIn(
  schema: Keywords,
  value: unknown,
  path = "$",
  replaced: Place["replaced"] = (other) => other,
): Generator<Place> {
  yield { path, schema, value, replaced };
  if (Array.isArray(value)) {
    for (const [n, item] of value.entries()) {
      const put = (other: unknown) => replaced(value.with(n, other));
      yield* placesIn(schema.items ?? {}, item, `${path}[${n}]`, put);
    }
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const { properties, additionalProperties } = variantOf(schema, value);
  for (const [name, member] of Object.entries(value)) {
    const own = properties?.[name] ?? (additionalProperties || {});
    const put = (other: unknown) => replaced({ ...value, [name]: other });
    yield* placesIn(own, member, `${path}.${name}`, put);
  }
}

function variantOf(schema: Keywords, value: object): Keywords {
  const name = schema.discriminator?.propertyName;
  if (name === undefined) return schema;
  const chosen = (value as Record<string, unknown>)[name];
  return schema.anyOf!.find((each) => each.properties?.[name]?.enum?.includes(chosen))!;
}
