// Bodies that a schema accepts, generated from it.

import fc from "fast-check";
import type { TSchema } from "typebox";

/** The JSON Schema keywords that the contract uses. */
export interface Keywords {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Keywords[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Keywords;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, Keywords>;
  required?: string[];
  minProperties?: number;
  additionalProperties?: Keywords | false;
  discriminator?: { propertyName: string };
}

export const keywordsOf = (schema: TSchema) => schema as Keywords;

const MAX_TEXT = 12;
const MAX_ITEMS = 3;

export function bodyOf(schema: Keywords): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ("const" in schema) return fc.constant(schema.const);
  const { anyOf, ...whole } = schema;
  if (anyOf) return fc.oneof(...anyOf.map((each) => bodyOf({ ...whole, ...each })));
  switch (schema.type) {
    case "string":
      return textOf(schema);
    case "integer":
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000 });
    case "number":
      return fc.integer({ min: Math.ceil(schema.minimum ?? 0), max: schema.maximum ?? 1_000 });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return listOf(schema);
    default:
      return objectOf(schema);
  }
}

function textOf({ pattern, minLength = 0, maxLength = MAX_TEXT }: Keywords) {
  if (pattern !== undefined) {
    const valid = new RegExp(pattern);
    // fast-check generates no text for a pattern that looks ahead.
    const isPlain = !pattern.includes("(?");
    return fc
      .stringMatching(isPlain ? valid : /^[a-z_]\w{0,10}$/, { maxLength: MAX_TEXT })
      .filter((text) => valid.test(text) && text.length >= minLength && text.length <= maxLength);
  }
  const text = fc.string({ minLength, maxLength: Math.min(maxLength, MAX_TEXT) });
  return text.filter((each) => !each.includes("\0"));
}

function listOf({ items = {}, minItems = 0, maxItems = MAX_ITEMS, uniqueItems }: Keywords) {
  const sizes = { minLength: minItems, maxLength: Math.max(minItems, maxItems) };
  const selector = (item: unknown) => JSON.stringify(item);
  return uniqueItems
    ? fc.uniqueArray(bodyOf(items), { ...sizes, selector })
    : fc.array(bodyOf(items), sizes);
}

function objectOf({ properties = {}, required = [], minProperties = 0, ...schema }: Keywords) {
  if (schema.additionalProperties) {
    const name = fc.stringMatching(/^[A-Z_]{1,8}$/);
    return fc.dictionary(name, bodyOf(schema.additionalProperties), { maxKeys: MAX_ITEMS });
  }
  const members = Object.entries(properties).map(([name, each]) => [name, bodyOf(each)]);
  const model = Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>;
  return fc
    .record(model, { requiredKeys: required })
    .filter((body) => Object.keys(body).length >= minProperties);
}
