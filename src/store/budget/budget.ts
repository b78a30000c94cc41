// Budgets as they are kept.

import type { Budget, BudgetPeriod, BudgetScope } from "../../domain/money/budget.ts";
import { change, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

interface Row {
  id: string;
  account_id: string;
  name: string;
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

export function* insertBudget(budget: Budget): Verb<void> {
  yield* change(
    `insert into budget (id, account_id, name, scope, subject_id, period, micros, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    budget.id,
    budget.accountId,
    budget.name,
    budget.scope,
    budget.subjectId,
    budget.period,
    budget.limit,
    budget.createdAt,
  );
  yield* ring(topic.balance);
  yield* ringBudget(budget);
}

export function* findBudget(id: string): Verb<Budget | undefined> {
  const found = yield* row<Row>("select * from budget where id = ?", id);
  return found && fromRow(found);
}

/** The same, and nobody else changes it before the surrounding turn is committed. */
export function* lockBudget(id: string): Verb<Budget | undefined> {
  const found = yield* row<Row>("select * from budget where id = ? /*+ for update */", id);
  return found && fromRow(found);
}

export function* listBudgets(accountId: string): Verb<Budget[]> {
  const found = yield* rows<Row>(
    "select * from budget where account_id = ? order by created_at, id",
    accountId,
  );
  return found.map(fromRow);
}

export function* allBudgets(): Verb<Budget[]> {
  return (yield* rows<Row>("select * from budget order by created_at, id")).map(fromRow);
}

export function* changeBudget(budget: Budget): Verb<void> {
  const { id, name, limit } = budget;
  yield* change("update budget set name = ?, micros = ? where id = ?", name, limit, id);
  yield* ring(topic.balance);
  yield* ringBudget(budget);
}

export function* deleteBudget(budget: Budget): Verb<void> {
  const { id } = budget;
  yield* change("delete from budget where id = ?", id);
  // What it held back may go on.
  yield* ring(topic.fleet);
  yield* ringBudget(budget);
}

function* ringBudget({ id, accountId }: Budget): Verb<void> {
  yield* ring(topic.changed(accountId, "budget", id));
}

/** What was seen of it; workers may run or not by this. */
export function* noteBudget(budget: Budget): Verb<void> {
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
  yield* ring(topic.fleet);
  yield* ringBudget(budget);
}

/** Whom a budget may hold back: what belongs to an account, was made with a key, serves an endpoint. */
export interface Spender {
  accountId: string;
  /** Empty where it was made with none. */
  keyId: string;
  endpointId: string | null;
}

const holding = `account_id = ? and (scope = 'account' or (scope = 'key' and subject_id = ?)
  or (scope = 'endpoint' and subject_id = ?))`;

export function* budgetsHolding({ accountId, keyId, endpointId }: Spender): Verb<Budget[]> {
  const found = yield* rows<Row>(
    `select * from budget where ${holding} order by created_at, id`,
    accountId,
    keyId,
    endpointId ?? "",
  );
  return found.map(fromRow);
}

/** One that was seen spent and whose period is not over. */
export function* spentBudget(
  { accountId, keyId, endpointId }: Spender,
  now: number,
): Verb<Budget | null> {
  const found = yield* row<Row>(
    `select * from budget where ${holding} and spent_until > ? order by spent_until desc limit 1`,
    accountId,
    keyId,
    endpointId ?? "",
    now,
  );
  return found ? fromRow(found) : null;
}

/** Whether all that is made with a key has a budget. */
export function* isHeld(keyId: string): Verb<boolean> {
  const sql = "select 1 from budget where scope = 'key' and subject_id = ? limit 1";
  return (yield* row(sql, keyId)) !== undefined;
}

function fromRow(found: Row): Budget {
  return {
    id: found.id,
    accountId: found.account_id,
    name: found.name,
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
