// Pieces that schemas are made of.

import Type, { type TObject, type TSchema } from "typebox";

/** Whole numbers stay within 32 bits, which is what the GraphQL interface can carry. */
export const LARGEST = 2_147_483_647;

/** Says in a refusal's sentence what would be right, where the schema alone says it badly. */
export const TAKES = "x-takes";

export const name = Type.String({
  minLength: 1,
  maxLength: 191,
  description: "A name for people; at most 191 characters.",
});

export const instant = Type.String({
  format: "date-time",
  description: "UTC, ISO 8601.",
});

export function whole(minimum: number, options: Record<string, unknown> = {}) {
  return Type.Integer({ minimum, maximum: LARGEST, ...options });
}

/** Names and values of environment variables. */
export const env = Type.Unsafe<Record<string, string>>(
  Type.Object(
    {},
    {
      default: {},
      additionalProperties: Type.String(),
      propertyNames: { pattern: "^[^=\\u0000]+$", [TAKES]: 'at least one character and no "="' },
      description: "Environment variables: an object of names and values, all strings.",
    },
  ),
);

/** The same object where every member may be left out, and then stays as it is. */
export function changesOf<Schema extends TObject>(schema: Schema) {
  const members = Object.entries(schema.properties).map(([key, member]) => [
    key,
    withoutDefault(member),
  ]);
  const all = Type.Object(Object.fromEntries(members) as Schema["properties"]);
  return Type.Partial(all, { additionalProperties: false });
}

function withoutDefault(schema: TSchema): TSchema {
  const { default: _, ...kept } = Object.getOwnPropertyDescriptors(schema) as PropertyDescriptorMap;
  return Object.defineProperties({}, kept) as TSchema;
}
