// The Pods and workers that run under a budget: those that are stopped when it is spent.

import { labelIn } from "../../domain/label/labels.ts";
import { type Budget, type BudgetScope, coversLabels } from "../../domain/money/budget.ts";
import { labelsFrom, mayHaveLabel, partOfLabels } from "../engine/row/columns.ts";
import { rows, type Tx } from "../engine/statement.ts";

export type BudgetSubject = Pick<Budget, "accountId" | "scope" | "subjectId">;

const pods = (condition: string) =>
  `select id, labels from pod where account_id = ? and state = 'RUNNING' ${condition} order by created_at, id`;
const podsByScope: Record<Exclude<BudgetScope, "endpoint">, string> = {
  account: pods(""),
  key: pods("and key_id = ?"),
  label: pods(`and ${mayHaveLabel}`),
};

interface Labeled {
  id: string;
  labels: string | null;
}

export function* podsUnderBudget(subject: BudgetSubject): Tx<{ id: string }[]> {
  const { accountId, scope } = subject;
  if (scope === "endpoint") return [];
  const running = yield* rows<Labeled>(podsByScope[scope], accountId, ...subjectParams(subject));
  return running.filter((pod) => isUnder(subject, pod));
}

function subjectParams({ scope, subjectId }: BudgetSubject): string[] {
  if (scope === "account") return [];
  return scope === "label" ? [partOfLabels(...labelIn(subjectId))] : [subjectId];
}

const isUnder = (subject: BudgetSubject, { labels }: Labeled) =>
  coversLabels(subject, labelsFrom(labels));

export interface BudgetWorker {
  id: string;
  desired: "run" | "drain" | "end";
  /** When its end was requested. */
  endAskedAt: number | null;
}

const workers = (condition: string) => `
  select worker.id, desired, end_asked_at as "endAskedAt", labels
  from worker join endpoint on endpoint.id = worker.endpoint_id
  where endpoint.account_id = ? and observed <> 'ended' ${condition}
  order by worker.created_at, worker.id`;
const workersByScope: Record<BudgetScope, string> = {
  account: workers(""),
  endpoint: workers("and endpoint.id = ?"),
  key: workers("and endpoint.key_id = ?"),
  label: workers(`and ${mayHaveLabel}`),
};

export function* workersUnderBudget(subject: BudgetSubject): Tx<BudgetWorker[]> {
  const sql = workersByScope[subject.scope];
  const params = [subject.accountId, ...subjectParams(subject)];
  const running = yield* rows<BudgetWorker & Labeled>(sql, ...params);
  return running.filter((worker) => isUnder(subject, worker));
}
