// Pages under docs/ that are made from the code, and how they are made.

import { join } from "node:path";
import { catalogue, type FaultCode } from "../../src/domain/fault.ts";

const docs = join(import.meta.dirname, "..", "..", "docs");

export const DOCUMENT = join(docs, "openapi.json");
export const ERRORS = join(docs, "errors.md");
export const FIDELITY = join(docs, "fidelity.md");

const blames = {
  caller: "the request",
  state: "what is there",
  service: "the service",
};

/** docs/errors.md as the fault catalogue has it. */
export function errorsPage(): string {
  const codes = Object.keys(catalogue) as FaultCode[];
  const rows = codes.map((code) => {
    const { status, blame, sentence, retry } = catalogue[code];
    const whole = sentence === "{detail}" ? "{says what was wrong and where}" : sentence;
    const told = whole.replaceAll("|", "\\|").replace(/\{([\w ]+)\}/g, "*$1*");
    return `| \`${code}\` | ${status} | ${blames[blame]} | ${told} | ${retry ? "yes" : "no"} |`;
  });
  return `# Errors

Every refusal is JSON and has the same members, whatever the status; over [GraphQL](graphql.md) the
sentence and the code stand in \`errors\`, and the status is nearly always 200:

\`\`\`json
{"error": "There is no template abc.", "message": "There is no template abc.", "status": 404, "code": "template_not_found"}
\`\`\`

\`error\` and \`message\` hold the same sentence: what was wrong, where, and what would be right. A
program goes by \`code\`. Where the last column says yes, the same request may succeed later as it
is; the answer then carries \`Retry-After\`, in seconds. Words in italics stand for what the sentence
names.

| code | status | what must change | sentence | try again |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}
