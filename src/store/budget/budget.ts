// The table `budget`.

import type { Labels } from "../../domain/label/labels.ts";
import {
  type Budget,
  type BudgetPeriod,
  type BudgetScope,
  coversLabels,
} from "../../domain/money/budget.ts";
import { topic } from "../engine/notifier.ts";
import { columnList } from "../engine/row/column-list.ts";
import { labelsFrom, labelText } from "../engine/row/columns.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  id: string;
  account_id: string;
  name: string;
  labels: string | null;
  scope: BudgetScope;
  subject_id: string;
  period: BudgetPeriod;
  micros: number;
  warned_at: number | null;
  warned_until: number | null;
  spent_at: number | null;
  spent_until: number | null;
  created_at: number;
}

const COLUMNS = columnList<Row>()(
  "id",
  "account_id",
  "name",
  "labels",
  "scope",
  "subject_id",
  "period",
  "micros",
  "warned_at",
  "warned_until",
  "spent_at",
  "spent_until",
  "created_at",
);

export function* insertBudget(budget: Budget): Tx<void> {
  yield* change(
    `insert into budget (id, account_id, name, labels, scope, subject_id, period, micros, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    budget.id,
    budget.accountId,
    budget.name,
    labelText(budget.labels),
    budget.scope,
    budget.subjectId,
    budget.period,
    budget.limit,
    budget.createdAt,
  );
  yield* notify(topic.balance);
  yield* notifyBudget(budget);
}

export function* findBudget(id: string): Tx<Budget | undefined> {
  const found = yield* row<Row>(`select ${COLUMNS} from budget where id = ?`, id);
  return found && fromRow(found);
}

/** Reads a budget and locks it until the transaction commits. */
export function* lockBudget(id: string): Tx<Budget | undefined> {
  const found = yield* row<Row>(`select ${COLUMNS} from budget where id = ? /*+ for update */`, id);
  return found && fromRow(found);
}

export function* listBudgets(accountId: string): Tx<Budget[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from budget where account_id = ? order by created_at, id`,
    accountId,
  );
  return found.map(fromRow);
}

export function* allBudgets(): Tx<Budget[]> {
  return (yield* rows<Row>(`select ${COLUMNS} from budget order by created_at, id`)).map(fromRow);
}

export function* changeBudget(budget: Budget): Tx<void> {
  const { id, name, labels, limit } = budget;
  const sql = "update budget set name = ?, labels = ?, micros = ? where id = ?";
  yield* change(sql, name, labelText(labels), limit, id);
  yield* notify(topic.balance);
  yield* notifyBudget(budget);
}

export function* deleteBudget(budget: Budget): Tx<void> {
  const { id } = budget;
  yield* change("delete from budget where id = ?", id);
  // Workloads that the budget stopped may start again.
  yield* notify(topic.fleet);
  yield* notifyBudget(budget);
}

function* notifyBudget({ id, accountId }: Budget): Tx<void> {
  yield* notify(topic.changed(accountId, "budget", id));
}

/** Records whether a budget is nearly spent or spent. Whether workers may start depends on it. */
export function* recordBudgetState(budget: Budget): Tx<void> {
  const { id, warnedAt, warnedUntil, spentAt, spentUntil } = budget;
  yield* change(
    `update budget set warned_at = ?, warned_until = ?, spent_at = ?, spent_until = ?
     where id = ?`,
    warnedAt,
    warnedUntil,
    spentAt,
    spentUntil,
    id,
  );
  yield* notify(topic.fleet);
  yield* notifyBudget(budget);
}

/** What a budget may stop: something of an account, created with a key, serving an endpoint, or with labels. */
export interface Spender {
  accountId: string;
  /** Empty if it was created without a key. */
  keyId: string;
  endpointId: string | null;
  labels: Labels;
}

/** The budgets of all labels are among them. */
const mayApplyTo = `account_id = ? and (scope in ('account', 'label') or (scope = 'key' and subject_id = ?)
  or (scope = 'endpoint' and subject_id = ?))`;

export function* budgetsOn(spender: Spender): Tx<Budget[]> {
  const { accountId, keyId, endpointId } = spender;
  const budgets = yield* rows<Row>(
    `select ${COLUMNS} from budget where ${mayApplyTo} order by created_at, id`,
    accountId,
    keyId,
    endpointId ?? "",
  );
  return budgets.map(fromRow).filter((budget) => coversLabels(budget, spender.labels));
}

/** A budget on the spender that is spent for a period that is not over; null if there is none. */
export function* spentBudget(spender: Spender, now: number): Tx<Budget | null> {
  const { accountId, keyId, endpointId } = spender;
  const spent = yield* rows<Row>(
    `select ${COLUMNS} from budget where ${mayApplyTo} and spent_until > ? order by spent_until desc`,
    accountId,
    keyId,
    endpointId ?? "",
    now,
  );
  return spent.map(fromRow).find((budget) => coversLabels(budget, spender.labels)) ?? null;
}

/** True if there is a budget on what is created with a key. */
export function* hasKeyBudget(keyId: string): Tx<boolean> {
  const sql = "select 1 from budget where scope = 'key' and subject_id = ? limit 1";
  return (yield* row(sql, keyId)) !== undefined;
}

function fromRow(found: Row): Budget {
  return {
    id: found.id,
    accountId: found.account_id,
    name: found.name,
    labels: labelsFrom(found.labels),
    scope: found.scope,
    subjectId: found.subject_id,
    period: found.period,
    limit: found.micros,
    warnedAt: found.warned_at,
    warnedUntil: found.warned_until,
    spentAt: found.spent_at,
    spentUntil: found.spent_until,
    createdAt: found.created_at,
  };
}
