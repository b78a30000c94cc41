// Budgets: limits on the spending of an account, an endpoint, or everything created with one key,
// per hour, day or month. Periods are the same as in histories, in UTC.

import { bucketEnd, bucketStart } from "./buckets.ts";
import { HOUR_MS } from "./owed.ts";

const budgetPeriods = ["hour", "day", "month"] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

export type BudgetScope = "account" | "endpoint" | "key";

export interface Budget {
  id: string;
  accountId: string;
  /** The display name; may be empty. */
  name: string;
  scope: BudgetScope;
  /** The endpoint's or the key's id; empty for the account. */
  subjectId: string;
  period: BudgetPeriod;
  /** Micro-dollars. */
  limit: number;
  /** When it was last observed to be nearly spent, and the end of that period. */
  warnedAt: number | null;
  warnedUntil: number | null;
  /**
   * When it was last observed to be spent, and the end of that period; until then nothing new
   * starts.
   */
  spentAt: number | null;
  spentUntil: number | null;
  createdAt: number;
}

/** Micro-dollars spent, and micro-dollars per hour of current usage. */
export interface Spending {
  spent: number;
  perHour: number;
}

export type BudgetState = "ok" | "warning" | "spent";

const WARNING_PERCENT = 80;

const warningAt = (limit: number) => Math.ceil((limit / 100) * WARNING_PERCENT);

export function budgetState(limit: number, spent: number): BudgetState {
  if (spent >= limit) return "spent";
  return spent >= warningAt(limit) ? "warning" : "ok";
}

export function periodOf({ period }: Pick<Budget, "period">, now: number) {
  return { start: bucketStart(period, now), end: bucketEnd(period, now) };
}

/** When its state changes next at the current spending; null if it does not. */
export function nextChange(budget: Budget, { spent, perHour }: Spending, now: number) {
  const { end } = periodOf(budget, now);
  const state = budgetState(budget.limit, spent);
  if (state === "spent") return end;
  if (perHour <= 0) return state === "warning" ? end : null;
  const mark = state === "warning" ? budget.limit : warningAt(budget.limit);
  return Math.min(end, now + Math.ceil(((mark - spent) / perHour) * HOUR_MS));
}

const PER_DOLLAR = 1_000_000;

/** "budget b1 (tests) of 5 dollars per day" */
export function budgetText({ id, name, limit, period }: Budget): string {
  const called = name === "" ? "" : ` (${name})`;
  return `budget ${id}${called} of ${limit / PER_DOLLAR} dollars per ${period}`;
}

const whose: Record<BudgetScope, string> = {
  account: "the account's",
  endpoint: "the endpoint's",
  key: "its key's",
};

export const spentText = (budget: Budget) =>
  `${whose[budget.scope]} ${budgetText(budget)} is spent`;

export const warningText = (budget: Budget) =>
  `${WARNING_PERCENT} % of ${whose[budget.scope]} ${budgetText(budget)} are spent; with the rest this is stopped`;
