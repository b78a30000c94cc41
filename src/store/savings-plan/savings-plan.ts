// The table `savings_plan`.

import type { PlanLength, SavingsPlan } from "../../domain/money/savings-plan.ts";
import { topic } from "../engine/notifier.ts";
import { columnList } from "../engine/row/column-list.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  id: string;
  account_id: string;
  gpu_type_id: string;
  gpu_count: number;
  length: PlanLength;
  cost_per_hr: number;
  upfront_cost: number;
  pod_id: string | null;
  start_at: number;
  end_at: number;
  ended: number;
}

const COLUMNS = columnList<Row>()(
  "id",
  "account_id",
  "gpu_type_id",
  "gpu_count",
  "length",
  "cost_per_hr",
  "upfront_cost",
  "pod_id",
  "start_at",
  "end_at",
  "ended",
);

export function* insertPlan(plan: SavingsPlan): Tx<void> {
  const columns = {
    id: plan.id,
    account_id: plan.accountId,
    gpu_type_id: plan.gpuTypeId,
    gpu_count: plan.gpuCount,
    length: plan.length,
    cost_per_hr: plan.costPerHr,
    upfront_cost: plan.upfrontCost,
    pod_id: plan.podId,
    start_at: plan.startAt,
    end_at: plan.endAt,
  };
  const names = Object.keys(columns);
  yield* change(
    `insert into savings_plan (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`,
    ...Object.values(columns),
  );
  yield* notify(topic.balance);
  yield* notifyPlan(plan);
}

export function* findPlan(id: string): Tx<SavingsPlan | undefined> {
  const found = yield* row<Row>(`select ${COLUMNS} from savings_plan where id = ?`, id);
  return found && fromRow(found);
}

/** All plans of an account, the earliest start first; ended ones included. */
export function* plansOf(accountId: string): Tx<SavingsPlan[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from savings_plan where account_id = ? order by start_at, id`,
    accountId,
  );
  return found.map(fromRow);
}

export function* activePlansOf(accountId: string): Tx<SavingsPlan[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from savings_plan where account_id = ? and ended = 0 order by start_at, id`,
    accountId,
  );
  return found.map(fromRow);
}

/** The plans of an account for one GPU type. */
export interface Family {
  accountId: string;
  gpuTypeId: string;
}

/** A family's active plans, locked until the transaction commits. */
export function* lockPlans({ accountId, gpuTypeId }: Family): Tx<SavingsPlan[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from savings_plan where account_id = ? and gpu_type_id = ? and ended = 0
     order by start_at, id /*+ for update */`,
    accountId,
    gpuTypeId,
  );
  return found.map(fromRow);
}

/**
 * The families with a plan whose end has passed and is not applied, and when the next plan ends.
 */
export function* duePlans(now: number): Tx<{ due: Family[]; nextAt: number | null }> {
  const due = yield* rows<Family>(
    `select distinct account_id as "accountId", gpu_type_id as "gpuTypeId" from savings_plan
     where ended = 0 and end_at <= ?`,
    now,
  );
  const next = yield* row<{ at: number | null }>(
    "select min(end_at) as at from savings_plan where ended = 0 and end_at > ?",
    now,
  );
  return { due, nextAt: next?.at ?? null };
}

export function* movePlan(plan: SavingsPlan): Tx<void> {
  yield* change("update savings_plan set pod_id = ? where id = ?", plan.podId, plan.id);
  yield* notifyPlan(plan);
}

export function* endPlan(plan: SavingsPlan): Tx<void> {
  yield* change("update savings_plan set ended = 1 where id = ?", plan.id);
  yield* notifyPlan(plan);
}

function* notifyPlan({ id, accountId }: SavingsPlan): Tx<void> {
  yield* notify(topic.changed(accountId, "savingsPlan", id));
}

function fromRow(found: Row): SavingsPlan {
  return {
    id: found.id,
    accountId: found.account_id,
    gpuTypeId: found.gpu_type_id,
    gpuCount: found.gpu_count,
    length: found.length,
    costPerHr: found.cost_per_hr,
    upfrontCost: found.upfront_cost,
    podId: found.pod_id,
    startAt: found.start_at,
    endAt: found.end_at,
    active: found.ended === 0,
  };
}
