// What runs and counts against a budget: what is stopped when it is spent.

import type { Budget, BudgetScope } from "../../domain/money/budget.ts";
import { rows, type Verb } from "../statement.ts";
import { tellSystem } from "../system-log.ts";

type Whose = Pick<Budget, "accountId" | "scope" | "subjectId">;

const pods = (whose: string) =>
  `select id from pod where account_id = ? and state = 'RUNNING' ${whose} order by created_at, id`;
const podsOfAccount = pods("");
const podsOfKey = pods("and key_id = ?");

export function* podsCounting({ accountId, scope, subjectId }: Whose): Verb<{ id: string }[]> {
  if (scope === "endpoint") return [];
  if (scope === "account") return yield* rows<{ id: string }>(podsOfAccount, accountId);
  return yield* rows<{ id: string }>(podsOfKey, accountId, subjectId);
}

export interface CountingWorker {
  id: string;
  desired: "run" | "drain" | "end";
  /** Since when it is wanted to end. */
  endAskedAt: number | null;
}

const workers = (whose: string) => `
  select worker.id, desired, end_asked_at as "endAskedAt"
  from worker join endpoint on endpoint.id = worker.endpoint_id
  where endpoint.account_id = ? and observed <> 'ended' ${whose}
  order by worker.created_at, worker.id`;
const workersOf: Record<BudgetScope, string> = {
  account: workers(""),
  endpoint: workers("and endpoint.id = ?"),
  key: workers("and endpoint.key_id = ?"),
};

export function* workersCounting({ accountId, scope, subjectId }: Whose): Verb<CountingWorker[]> {
  const whose = scope === "account" ? [] : [subjectId];
  return yield* rows<CountingWorker>(workersOf[scope], accountId, ...whose);
}

/** What would be stopped says so in its own log, where its owner looks. */
export function* tellWhatCounts(whose: Whose, line: string, now: number): Verb<void> {
  const running = [...(yield* podsCounting(whose)), ...(yield* workersCounting(whose))];
  for (const { id } of running) yield* tellSystem(id, now, line);
}
