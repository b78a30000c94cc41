// The Pods and workers that run under a budget: those that are stopped when it is spent.

import type { Budget, BudgetScope } from "../../domain/money/budget.ts";
import { rows, type Tx } from "../engine/statement.ts";

export type BudgetSubject = Pick<Budget, "accountId" | "scope" | "subjectId">;

const pods = (condition: string) =>
  `select id from pod where account_id = ? and state = 'RUNNING' ${condition} order by created_at, id`;
const podsOfAccount = pods("");
const podsOfKey = pods("and key_id = ?");

export function* podsUnderBudget({
  accountId,
  scope,
  subjectId,
}: BudgetSubject): Tx<{ id: string }[]> {
  if (scope === "endpoint") return [];
  if (scope === "account") return yield* rows<{ id: string }>(podsOfAccount, accountId);
  return yield* rows<{ id: string }>(podsOfKey, accountId, subjectId);
}

export interface BudgetWorker {
  id: string;
  desired: "run" | "drain" | "end";
  /** When its end was requested. */
  endAskedAt: number | null;
}

const workers = (condition: string) => `
  select worker.id, desired, end_asked_at as "endAskedAt"
  from worker join endpoint on endpoint.id = worker.endpoint_id
  where endpoint.account_id = ? and observed <> 'ended' ${condition}
  order by worker.created_at, worker.id`;
const workersByScope: Record<BudgetScope, string> = {
  account: workers(""),
  endpoint: workers("and endpoint.id = ?"),
  key: workers("and endpoint.key_id = ?"),
};

export function* workersUnderBudget({
  accountId,
  scope,
  subjectId,
}: BudgetSubject): Tx<BudgetWorker[]> {
  const subject = scope === "account" ? [] : [subjectId];
  return yield* rows<BudgetWorker>(workersByScope[scope], accountId, ...subject);
}
