// `freehold bill`: what a month cost, by resource, kind, member, project or label.

import { UsageError } from "../../../base/refusal.ts";
import type { Statement } from "../../../contract/rest-v1/billing/statement.ts";
import { askForText } from "../../client/service-request.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printJson, write } from "../../output/answer.ts";
import { type TableColumn, tableText } from "../../output/table.ts";
import { addCommonOptions, type CommonValues } from "../../program/common-options.ts";
import { addExamples, defineCommand } from "../../program/define-command.ts";

type Line = Statement["lines"][number];

interface Values extends CommonValues {
  month?: string;
  by?: string;
  daily?: boolean;
  csv?: boolean;
  html?: boolean;
}

export const { usage, run } = defineCommand("bill", (program) => {
  program
    .option("--month <month>", "such as 2026-11 (default: the present month)")
    .option("--by <what>", "resource, kind, member, project or label:NAME (default: resource)")
    .option("--daily", "each day has lines of its own")
    .option("--csv", "as CSV")
    .option("--html", "as a page to print");
  addCommonOptions(program).action(printBill);
  addExamples(program, "freehold bill --month 2026-11 --by label:team --csv");
});

async function printBill(values: Values): Promise<void> {
  const { month, by = "resource", daily, html } = values;
  if ([values.csv, html, values.json].filter(Boolean).length > 1)
    throw new UsageError("--csv, --html and --json exclude one another");
  const format = values.csv ? "csv" : html ? "html" : "json";
  const query = new URLSearchParams({
    grouping: by === "member" ? "createdBy" : by,
    bucketSize: daily ? "day" : "month",
    format,
    ...(month !== undefined && { month }),
  });
  const service = await serviceFor(values);
  const answer = await askForText(service, "GET", `/v1/billing/statement?${query}`);
  if (format !== "json") return write(answer);
  const statement = JSON.parse(answer) as Statement;
  if (values.json) printJson(statement);
  else write(text(statement));
}

function text({ opening, total, closing, lines }: Statement): string {
  const columns: TableColumn<Line>[] = [
    ["DATE", ({ time }) => time.slice(0, 10)],
    ["KIND", ({ kind }) => kind],
    ["OF", groupText],
    ["AMOUNT", ({ amount }) => money(amount)],
  ];
  const sums = [
    ["balance before", opening],
    ["total", total],
    ["balance", closing],
  ] as const;
  const table = lines.length > 0 ? `${tableText(lines, columns, process.stdout)}\n` : "";
  return table + sums.map(([name, amount]) => `${name.padEnd(16)}${money(amount)}\n`).join("");
}

function groupText(line: Line): string {
  if (line.kind === "credits" || line.kind === "savingsPlan") return line.note;
  const { resourceId, memberId, memberName, projectId, projectName, label } = line;
  if (label !== undefined) return label === null ? "(none)" : label;
  return resourceId ?? (memberName || memberId) ?? (projectName || projectId) ?? "(none)";
}

const money = (amount: number) => `${amount < 0 ? "-" : ""}$${Math.abs(amount).toFixed(6)}`;
