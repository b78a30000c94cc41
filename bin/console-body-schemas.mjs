// The request-body schemas of the OpenAPI documents as a module for the console's forms: what a value must
// be, without descriptions and defaults.

const KEYWORDS = [
  "type",
  "required",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "pattern",
  "enum",
  "const",
  "x-takes",
];

/** The text of generated/body-schemas.ts. Where documents share a name, the first one's schema has it. */
export function bodySchemasModule(documents) {
  const schemas = new Map();
  for (const document of documents.toReversed()) {
    for (const name of bodyNames(document)) {
      schemas.set(name, strip(document.components.schemas[name], document.components));
    }
  }
  const names = [...schemas.keys()].sort();
  return [
    "// Made by bin/console.mjs from docs/openapi.json and docs/openapi-v2.json.",
    'import type { BodySchema } from "../src/validate-body.ts";',
    "",
    `export type BodySchemaName = ${names.map((name) => `"${name}"`).join(" | ")};`,
    "",
    "export const bodySchemas: Record<BodySchemaName, BodySchema> = {",
    ...names.map((name) => `  ${name}: ${JSON.stringify(schemas.get(name))},`),
    "};",
    "",
  ].join("\n");
}

function bodyNames({ paths }) {
  const names = new Set();
  for (const operations of Object.values(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (!["post", "put", "patch", "delete"].includes(method)) continue;
      const schema = operation.requestBody?.content?.["application/json"]?.schema;
      const name = schema?.$ref?.split("/").at(-1);
      if (name) names.add(name);
    }
  }
  return names;
}

function strip(schema, components) {
  if (schema.$ref) return strip(components.schemas[schema.$ref.split("/").at(-1)], components);
  const result = Object.fromEntries(
    KEYWORDS.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]]),
  );
  if (schema.properties && Object.keys(schema.properties).length > 0) {
    result.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, each]) => [name, strip(each, components)]),
    );
  }
  if (schema.items) result.items = strip(schema.items, components);
  if (schema.anyOf) result.anyOf = schema.anyOf.map((each) => strip(each, components));
  return result;
}
