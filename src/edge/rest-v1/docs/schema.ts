// How a schema of the document is shown: its type in words, its members as a table.

import { LARGEST } from "../../../contract/fields.ts";
import { html, type Markup } from "./markup.ts";

export interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  format?: string;
  default?: unknown;
  description?: string;
}

export function typeOf(schema: Schema): Markup {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1)!;
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.enum) return html`${schema.enum.map((each) => JSON.stringify(each)).join(" | ")}`;
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  if (schema.anyOf && !schema.type) return html`${alternatives(schema.anyOf)}`;
  if (schema.type === "array") return html`list of ${typeOf(schema.items ?? {})}`;
  if (schema.type === "integer") return html`whole number${range(schema)}`;
  if (schema.type === "string") return html`${schema.format ?? "string"}${length(schema)}`;
  if (schema.type === "object" && typeof schema.additionalProperties === "object") {
    return html`object of ${typeOf(schema.additionalProperties)}`;
  }
  return html`${schema.type ?? "any JSON"}`;
}

function alternatives(schemas: Schema[]): Markup[] {
  return schemas.map((each, n) => (n === 0 ? typeOf(each) : html` or ${typeOf(each)}`));
}

function range({ minimum, maximum }: Schema): string {
  if (minimum === undefined) return "";
  return maximum === undefined || maximum === LARGEST
    ? `, ${minimum} up`
    : `, ${minimum}-${maximum}`;
}

function length({ maxLength }: Schema): string {
  return maxLength === undefined ? "" : `, at most ${maxLength}`;
}

export interface Field {
  name: string;
  schema: Schema;
  required: boolean;
  description?: string;
}

export function fieldsOf(schema: Schema): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, member]) => {
    return { name, schema: member, required: schema.required?.includes(name) ?? false };
  });
}

export function fieldTable(fields: Field[]): Markup {
  return html`<table><thead><tr><th>name</th><th>type</th><th></th></tr></thead><tbody>${fields.map(
    fieldRow,
  )}</tbody></table>`;
}

function fieldRow({ name, schema, required, description }: Field): Markup {
  const fallback = schema.default === undefined ? null : JSON.stringify(schema.default);
  return html`<tr><td><code>${name}</code>${required && html` <b>required</b>`}</td>
<td>${typeOf(schema)}</td>
<td>${description ?? schema.description}${
    fallback !== null && html` <i>Default <code>${fallback}</code>.</i>`
  }${nested(schema)}</td></tr>`;
}

/** Members of an object that has no name of its own. */
function nested(schema: Schema): Markup | null {
  const inner = schema.type === "array" ? (schema.items ?? {}) : schema;
  return inner.properties && Object.keys(inner.properties).length > 0
    ? fieldTable(fieldsOf(inner))
    : null;
}
