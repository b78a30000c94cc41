// The pages under docs/ that are generated from the code.

import { join } from "node:path";
import { type FaultCode, faultCatalog } from "../../src/domain/fault-catalog.ts";

const docs = join(import.meta.dirname, "..", "..", "docs");

export const DOCUMENT = join(docs, "openapi.json");
export const DOCUMENT_V2 = join(docs, "openapi-v2.json");
export const ERRORS = join(docs, "errors.md");
export const FIDELITY = join(docs, "fidelity.md");

const blames = {
  caller: "the request",
  state: "the state",
  service: "the service",
};

/** The text of docs/errors.md, from the fault catalog. */
export function errorsPage(): string {
  const codes = Object.keys(faultCatalog) as FaultCode[];
  const rows = codes.map((code) => {
    const { status, blame, sentence, retry } = faultCatalog[code];
    const template = sentence === "{detail}" ? "{what is wrong, and where}" : sentence;
    const text = template.replaceAll("|", "\\|").replace(/\{([\w ]+)\}/g, "*$1*");
    return `| \`${code}\` | ${status} | ${blames[blame]} | ${text} | ${retry ? "yes" : "no"} |`;
  });
  return `# Errors

Every error response is JSON with the same members. Over [GraphQL](graphql.md), the sentence and the
code are in \`errors\`, and the status is nearly always 200.

\`\`\`json
{"error": "There is no template abc.", "message": "There is no template abc.", "status": 404, "code": "template_not_found"}
\`\`\`

\`error\` and \`message\` hold the same sentence: what is wrong, where, and what would be right. A
program should check \`code\`. At \`openai/*\` routes \`error\` is an object as OpenAI's API has it, with the sentence as its
\`message\`. [REST v2](rest-v2.md) has a form and some statuses of its own. If the last column says yes, the same request can succeed later without
a change, and the response has a \`Retry-After\` header in seconds. Words in italics are placeholders.

The third column names the cause: the request, the state of a resource, or the service.

| code | status | cause | sentence | retry |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}
