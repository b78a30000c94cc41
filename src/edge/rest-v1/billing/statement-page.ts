// The statement of a month as a page that prints well: black on white, and no line is cut by the end of a sheet.

import type { Statement } from "../../../contract/rest-v1/billing/statement.ts";

type Line = Statement["lines"][number];

const titles: Record<Line["kind"], string> = {
  pod: "Pods",
  cluster: "Clusters",
  sandbox: "Sandboxes",
  endpoint: "Endpoints",
  networkVolume: "Network volumes",
  savingsPlan: "Savings plans",
  credits: "Credits",
};

const STYLE = `
  body { font: 14px/1.45 system-ui, sans-serif; color: #111; background: #fff; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
  h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1rem; margin: 1.6rem 0 .3rem; break-after: avoid }
  p { margin: .2rem 0; color: #444 } table { width: 100%; border-collapse: collapse }
  td, th { padding: .25rem .5rem .25rem 0; text-align: left; border-bottom: 1px solid #ddd; overflow-wrap: anywhere }
  td:last-child { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; padding-right: 0 }
  tr { break-inside: avoid } tr.sum td { font-weight: 600; border-bottom: 0 }
  .totals { margin-top: 2rem; border-top: 2px solid #111 }
  @page { size: auto; margin: 18mm } @media print { body { margin: 0; max-width: none; padding: 0 } }`;

export function statementPage(accountId: string, statement: Statement): string {
  const { startTime, opening, total, closing, lines } = statement;
  const month = startTime.slice(0, 7);
  const kinds = Object.keys(titles) as Line["kind"][];
  const sections = kinds.map((kind) => section(kind, lines));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Statement ${month}</title><style>${STYLE}</style></head><body>
<h1>Statement ${month}</h1>
<p>Account ${escaped(accountId)}. All times are in UTC, all amounts in dollars.</p>
${sections.join("")}
<table class="totals">
<tr><td>Balance at the beginning</td><td>${money(opening)}</td></tr>
<tr><td>Sum of the lines</td><td>${money(total)}</td></tr>
<tr class="sum"><td>Balance at the end</td><td>${money(closing)}</td></tr>
</table>
</body></html>
`;
}

function section(kind: Line["kind"], all: readonly Line[]): string {
  const lines = all.filter((line) => line.kind === kind);
  if (lines.length === 0) return "";
  const rows = lines.map(
    (line) =>
      `<tr><td>${line.time.slice(0, 10)}</td><td>${escaped(textOf(line))}</td><td>${money(line.amount)}</td></tr>`,
  );
  const micros = lines.reduce((sum, { amount }) => sum + Math.round(amount * 1e6), 0);
  return `<h2>${titles[kind]}</h2>
<table>${rows.join("\n")}
<tr class="sum"><td></td><td></td><td>${money(micros / 1e6)}</td></tr></table>
`;
}

/** What the line is about: a resource, a member, a project, the value of a label, or a note. */
function textOf(line: Line): string {
  const { resourceId, label, note } = line;
  if (line.kind === "credits" || line.kind === "savingsPlan") return note;
  if (label !== undefined) return label === null ? "without the label" : label || '""';
  if (line.memberId !== undefined) return nameOf(line.memberName, line.memberId, "no member");
  if (line.projectId !== undefined) return nameOf(line.projectName, line.projectId, "no project");
  return resourceId ?? "";
}

const nameOf = (name: string | null | undefined, id: string | null, none: string) =>
  id === null ? none : name || id;

const money = (amount: number) => amount.toFixed(6);

const escaped = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
