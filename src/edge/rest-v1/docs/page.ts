// The reference for people: the OpenAPI document as one page of our own, which asks nobody else for
// anything.

import { createHash } from "node:crypto";
import type { OpenapiDocument } from "../../../contract/openapi.ts";
import { html, Markup } from "./markup.ts";
import { operationSection, operationsOf } from "./operation.ts";
import { fieldsOf, fieldTable, type Schema } from "./schema.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

export function docsPage(document: OpenapiDocument): string {
  const schemas = document.components.schemas as Record<string, Schema>;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${document.info.title} reference</title><style>${new Markup(style)}</style></head>
<body><nav>${document.tags.map((tag) => contents(document, tag.name))}
<h2>Schemas</h2>${Object.keys(schemas).map((name) => html`<a href="#schema-${name}">${name}</a>`)}
</nav><main><h1>${document.info.title} reference</h1>
<p>${document.info.description} The same as <a href="/v1/openapi.json">an OpenAPI document</a>.</p>
<label>Your API key, for trying things here; it leaves this page only as the header of your requests
<input id="key" type="password" autocomplete="off" placeholder="fh_..."></label>
${document.tags.map(({ name, description }) => [
  html`<h2>${name}</h2><p>${description}</p>`,
  operationsOf(document, name).map((shown) => operationSection(shown, schemas)),
])}
<h2>Schemas</h2>${Object.entries(schemas).map(([name, schema]) => schemaSection(name, schema))}
</main><script>${new Markup(script)}</script></body></html>`;
  return page.text;
}

function contents(document: OpenapiDocument, tag: string): Markup {
  const links = operationsOf(document, tag).map(
    ({ operation }) => html`<a href="#${operation.operationId}">${operation.summary}</a>`,
  );
  return html`<h2>${tag}</h2>${links}`;
}

function schemaSection(name: string, schema: Schema): Markup {
  return html`<section id="schema-${name}"><h3>${name}</h3><p>${schema.description}</p>${fieldTable(
    fieldsOf(schema),
  )}</section>`;
}

/** Nothing but the page's own style and script, and requests to where it came from. */
export const docsPolicy = [
  "default-src 'none'",
  `style-src ${digest(style)}`,
  `script-src ${digest(script)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

function digest(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
