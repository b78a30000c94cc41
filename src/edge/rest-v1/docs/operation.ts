// How one operation of the document is shown: what it takes, what it answers, and a form to try it.

import type { OpenapiDocument, OpenapiOperation } from "../../../contract/openapi.ts";
import { exampleOf } from "./example.ts";
import { html, type Markup } from "./markup.ts";
import { type Field, fieldsOf, fieldTable, type Schema, typeOf } from "./schema.ts";

interface Address {
  method: string;
  path: string;
}

export interface Shown extends Address {
  operation: OpenapiOperation;
  /** Where the same is done too. */
  also: Address[];
}

/** Every operation of a tag, in the document's order. */
export function operationsOf(document: OpenapiDocument, tag: string): Shown[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      return { method: method.toUpperCase(), path, operation };
    }),
  );
  return all
    .filter(({ operation }) => operation.tags.includes(tag) && !operation["x-same-as"])
    .map((shown) => {
      const same = ({ operation }: (typeof all)[number]) =>
        operation["x-same-as"] === shown.operation.operationId;
      return { ...shown, also: all.filter(same) };
    });
}

export function operationSection(shown: Shown, schemas: Record<string, Schema>): Markup {
  const { method, path, operation, also } = shown;
  const { operationId, summary, description, parameters = [], responses } = operation;
  const body = bodyOf(operation);
  const example = operation.requestBody?.content["application/json"]?.example;
  const fields = parameters.map(({ name, required, schema, description }): Field => {
    return { name, schema, required: required ?? false, ...(description && { description }) };
  });
  return html`<section id="${operationId}">
<h3>${summary}</h3>
<p class="address"><b class="${method}">${method}</b> <code>${path}</code></p>
${also.map((each) => html`<p class="address">also <code>${each.method} ${each.path}</code></p>`)}
${description && html`<p>${description}</p>`}
${fields.length > 0 && html`<h4>Parameters</h4>${fieldTable(fields)}`}
${body && html`<h4>Body</h4>${bodyText(body, schemas)}`}
<h4>Answers</h4>
<ul>${answerLines(responses)}</ul>
${answerExample(responses)}
${tryIt(shown, body && JSON.stringify(example ?? exampleOf(body, schemas), null, 2))}
</section>`;
}

function bodyOf(operation: OpenapiOperation): Schema | null {
  return (operation.requestBody?.content["application/json"]?.schema as Schema) ?? null;
}

function bodyText(body: Schema, schemas: Record<string, Schema>): Markup {
  const schema = body.$ref ? schemas[body.$ref.split("/").at(-1)!]! : body;
  return schema.properties ? fieldTable(fieldsOf(schema)) : html`<p>${schema.description}</p>`;
}

interface Answer {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema?: Schema; example?: unknown }>;
}

function answerExample(responses: Record<string, unknown>): Markup | null {
  for (const { content } of Object.values(responses as Record<string, Answer>)) {
    const example = content?.["application/json"]?.example;
    if (example === undefined) continue;
    const text = JSON.stringify(example, null, 2);
    return html`<details><summary>An answer</summary><pre>${text}</pre></details>`;
  }
  return null;
}

/** What it answers, and in one line the statuses of refusals. */
function answerLines(responses: Record<string, unknown>): Markup[] {
  const answers = Object.entries(responses as Record<string, Answer>);
  const refusals = answers.filter(([, { $ref }]) => $ref).map(([status]) => status);
  const lines = answers
    .filter(([, { $ref }]) => !$ref)
    .map(([status, { description, content }]) => {
      const [mediaType, { schema }] = Object.entries(content ?? {})[0] ?? ["no body", {}];
      const what = schema ? typeOf(schema) : mediaType;
      return html`<li><code>${status}</code> ${description} ${what}</li>`;
    });
  if (refusals.length === 0) return lines;
  const fault = html`<a href="#schema-Fault">Fault</a>`;
  return [...lines, html`<li><code>${refusals.join(", ")}</code> ${fault}</li>`];
}

function tryIt({ method, path, operation }: Shown, example: string | null): Markup {
  const inputs = (operation.parameters ?? []).map(
    ({ name, in: place, required }) =>
      html`<label>${name}<input data-in="${place}" name="${name}"${required && html` required`}></label>`,
  );
  const area = html`<label>body<textarea name="body" rows="5" spellcheck="false">${example}</textarea></label>`;
  return html`<details><summary>Try it</summary>
<form data-method="${method}" data-path="${path}">${inputs}${example !== null && area}
<button>Send ${method}</button></form><pre hidden></pre></details>`;
}
