// The statement of a month: every cost and every credit of an account as a line. The balance at its end is the balance at
// its beginning less the lines, to the micro-dollar, and the balance at the end of the present month is that of the ledger.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { type Labels, labelOf, noLabels } from "../../domain/label/labels.ts";
import { bucketEnd, bucketStart } from "../../domain/money/buckets.ts";
import type { Store } from "../../store/engine/store.ts";
import type { OtherPosting } from "../../store/ledger/ledger.ts";
import { listProjects } from "../../store/project/project.ts";
import { type GroupCost, type MonthSubject, monthUnits } from "../../store/usage/month.ts";
import { type UsageKind, usageKinds } from "../../store/usage/usage.ts";
import { statementParts } from "../../transactions/money/statement.ts";
import { memberNames } from "../member/names.ts";

export type StatementGrouping = "kind" | "resource" | "createdBy" | "project" | { label: string };

export interface StatementRequest {
  accountId: string;
  /** Any instant of the month, in UTC. */
  at: number;
  bucketSize: "day" | "month";
  grouping: StatementGrouping;
}

export interface StatementLine {
  /** The beginning of its day or month, or when it was posted. */
  at: number;
  kind: UsageKind | "savings_plan" | "credits";
  /** The id or the value of the group; null for what has none, and for what is no use. */
  group: string | null;
  /** The name of the member or the project, or the note of credits; empty if there is none. */
  name: string;
  /** Micro-dollars; credits are negative. */
  micros: number;
}

export interface Statement {
  from: number;
  to: number;
  /** The balance at its beginning and its end, or until now. */
  opening: number;
  closing: number;
  lines: StatementLine[];
}

export async function statementOf(
  deps: { store: Store; clock: Clock },
  { accountId, at, bucketSize, grouping }: StatementRequest,
): Promise<Statement> {
  const from = bucketStart("month", at);
  const to = bucketEnd("month", at);
  if (from > deps.clock.now()) {
    throw new Fault("invalid_query", { detail: '"month" must not be a month to come.' });
  }
  const period = { from, to };
  const { opening, costs, postings } = await deps.store.read(statementParts, {
    ...period,
    accountId,
    unitMs: monthUnits(period)[bucketSize],
    subject: subjectOf(grouping),
  });
  const uses = await named(deps, accountId, grouping, usesOf(costs, grouping));
  const lines = [...uses, ...postings.map(lineOf)];
  const closing = lines.reduce((balance, { micros }) => balance - micros, opening);
  return { from, to, opening, closing, lines };
}

function subjectOf(grouping: StatementGrouping): MonthSubject {
  if (typeof grouping === "object") return "labels";
  return grouping === "kind" ? "none" : grouping === "resource" ? "resource" : "owner";
}

/** Lines in order of kind, time and group. */
function usesOf(costs: readonly GroupCost[], grouping: StatementGrouping): StatementLine[] {
  const sums = new Map<string, StatementLine>();
  for (const { at, kind, subject, micros } of costs) {
    const group = groupOf(subject, grouping);
    const key = JSON.stringify([at, kind, group]);
    const sum = micros + (sums.get(key)?.micros ?? 0);
    sums.set(key, { at, kind, group, name: "", micros: sum });
  }
  const order = new Map(usageKinds.map((kind, n) => [kind as StatementLine["kind"], n]));
  return [...sums.values()]
    .filter(({ micros }) => micros !== 0)
    .sort(
      (a, b) =>
        order.get(a.kind)! - order.get(b.kind)! ||
        a.at - b.at ||
        (a.group ?? "").localeCompare(b.group ?? "", "en"),
    );
}

function groupOf(subject: string | null, grouping: StatementGrouping): string | null {
  if (grouping === "kind") return null;
  if (typeof grouping !== "object") return subject;
  const labels = subject === null ? noLabels : (JSON.parse(subject) as Labels);
  return labelOf(labels, grouping.label);
}

function lineOf({ at, kind, note, micros }: OtherPosting): StatementLine {
  const isPlan = kind === "savings_plan";
  return { at, kind: isPlan ? kind : "credits", group: null, name: note, micros: -micros };
}

type Deps = { store: Store; clock: Clock };

async function named(
  deps: Deps,
  accountId: string,
  grouping: StatementGrouping,
  lines: StatementLine[],
): Promise<StatementLine[]> {
  if (grouping === "project") return byProject(deps, accountId, lines);
  if (grouping !== "createdBy") return lines;
  const names = await memberNames(
    deps,
    lines.flatMap(({ group }) => group ?? []),
  );
  return lines.map((line) => ({ ...line, name: names.get(line.group ?? "") ?? "" }));
}

/** The lines by the project that each owner is in now. */
async function byProject(
  deps: Deps,
  accountId: string,
  lines: StatementLine[],
): Promise<StatementLine[]> {
  const projects = await deps.store.read(listProjects, accountId);
  const ofMember = new Map(
    projects.flatMap(({ id, name, members }) =>
      members.map((member) => [member.id, { id, name }] as const),
    ),
  );
  const sums = new Map<string, StatementLine>();
  for (const line of lines) {
    const project = ofMember.get(line.group ?? "");
    const key = JSON.stringify([line.at, line.kind, project?.id ?? null]);
    const micros = line.micros + (sums.get(key)?.micros ?? 0);
    sums.set(key, { ...line, group: project?.id ?? null, name: project?.name ?? "", micros });
  }
  return [...sums.values()];
}
