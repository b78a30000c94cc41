// A body to begin with: what must be there, with a value of the right kind.

import type { Schema } from "./schema.ts";

export function exampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  if (schema.$ref) return exampleOf(schemas[schema.$ref.split("/").at(-1)!] ?? {}, schemas);
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0], schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.type === "array") return [];
  if (schema.type === "string") return "";
  if (schema.type === "integer") return schema.minimum ?? 0;
  if (schema.type === "boolean") return false;
  const required = schema.required ?? [];
  return Object.fromEntries(
    required.map((name) => [name, exampleOf(schema.properties?.[name] ?? {}, schemas)]),
  );
}
