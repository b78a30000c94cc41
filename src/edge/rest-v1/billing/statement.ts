// Routes of /v1/billing/statement.

import type { FastifyInstance, FastifyReply } from "fastify";
import {
  type Statement,
  statementOperations,
} from "../../../contract/rest-v1/billing/statement.ts";
import {
  type StatementGrouping,
  type StatementLine,
  type Statement as StatementView,
  statementOf,
} from "../../../flows/billing/statement.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { dollars } from "../../management/billing/dollars.ts";
import { csv } from "../../management/serve/csv.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { statementPage } from "./statement-page.ts";

const LABEL = "label:";

export function statementRoutes(app: FastifyInstance, deps: FlowDeps): void {
  serveOperations(app, statementOperations, {
    async getStatement({ accountId, query, reply }) {
      const { month, grouping = "resource", bucketSize = "month", format } = query;
      const at = month === undefined ? deps.clock.now() : Date.parse(`${month}-01T00:00:00Z`);
      const request = { accountId, at, bucketSize, grouping: groupingOf(grouping) };
      const statement = statementRead(await statementOf(deps, request), grouping);
      if (format === "csv") return sendCsv(reply, statement);
      return format === "html" ? sendPage(reply, accountId, statement) : statement;
    },
  });
}

function groupingOf(text: string): StatementGrouping {
  if (text.startsWith(LABEL)) return { label: text.slice(LABEL.length) };
  return text as Exclude<StatementGrouping, object>;
}

function statementRead(view: StatementView, grouping: string): Statement {
  const { from, to, opening, closing, lines } = view;
  return {
    startTime: instant(from),
    endTime: instant(to),
    opening: dollars(opening),
    total: dollars(opening - closing),
    closing: dollars(closing),
    lines: lines.map((line) => lineRead(line, grouping)),
  };
}

const kinds: Record<StatementLine["kind"], Statement["lines"][number]["kind"]> = {
  pod: "pod",
  cluster: "cluster",
  sandbox: "sandbox",
  worker: "endpoint",
  volume: "networkVolume",
  savings_plan: "savingsPlan",
  credits: "credits",
};

/** All lines of a statement have the same fields, as the columns of a table. */
function lineRead(line: StatementLine, grouping: string): Statement["lines"][number] {
  const { at, kind, group, name, micros } = line;
  const isUse = kind !== "savings_plan" && kind !== "credits";
  const groupName = isUse && group !== null ? name : null;
  return {
    time: instant(at),
    kind: kinds[kind],
    ...(grouping === "resource" && { resourceId: group }),
    ...(grouping === "createdBy" && { memberId: group, memberName: groupName }),
    ...(grouping === "project" && { projectId: group, projectName: groupName }),
    ...(grouping.startsWith(LABEL) && { label: group }),
    note: isUse ? "" : name,
    amount: dollars(micros),
  };
}

function sendCsv(reply: FastifyReply, { lines }: Statement) {
  return reply.type("text/csv; charset=utf-8").send(csv(lines));
}

function sendPage(reply: FastifyReply, accountId: string, statement: Statement) {
  return reply
    .header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'")
    .type("text/html; charset=utf-8")
    .send(statementPage(accountId, statement));
}
