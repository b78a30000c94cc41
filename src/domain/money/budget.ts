// Budgets: limits on the spending of an account, an endpoint, everything created with one key, or
// everything with one label, per hour, day or month. Periods are the same as in histories, in UTC.

import { capitalize } from "../../base/text/capitalize.ts";
import { HOUR_MS } from "../../base/units.ts";
import { hasLabels, type Labels, labelIn } from "../label/labels.ts";
import { bucketEnd, bucketStart } from "./buckets.ts";

const budgetPeriods = ["hour", "day", "month"] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

export type BudgetScope = "account" | "endpoint" | "key" | "label";

export interface Budget {
  id: string;
  accountId: string;
  /** The display name; may be empty. */
  name: string;
  /** Its own, which limit nothing. */
  labels: Labels;
  scope: BudgetScope;
  /** The endpoint's or the key's id, or the label as "team=vision"; empty for the account. */
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

/** Whether a budget is on a label that is one of these. */
export function isOnLabelOf({ scope, subjectId }: Pick<Budget, "scope" | "subjectId">, of: Labels) {
  return scope === "label" && hasLabels(of, [labelIn(subjectId)]);
}

/** Whether it covers what has these labels, of the things that its account, key or endpoint pays for. */
export const coversLabels = (budget: Pick<Budget, "scope" | "subjectId">, labels: Labels) =>
  budget.scope !== "label" || isOnLabelOf(budget, labels);

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

/** "budget b1 (tests) of 5 dollars per day", and for a label "... for team=vision" */
export function budgetText({ id, name, limit, period, scope, subjectId }: Budget): string {
  const called = name === "" ? "" : ` (${name})`;
  const label = scope === "label" ? ` for ${subjectId}` : "";
  return `budget ${id}${called} of ${dollarsText(limit)} dollars per ${period}${label}`;
}

const dollarsText = (micros: number) => String(micros / PER_DOLLAR);

const whose: Record<BudgetScope, string> = {
  account: "the account's",
  endpoint: "the endpoint's",
  key: "its key's",
  label: "the",
};

export const spentText = (budget: Budget) =>
  `${whose[budget.scope]} ${budgetText(budget)} is spent`;

/** For a refusal: with the micro-dollars that are spent. */
export const refusalText = (budget: Budget, spent: number) =>
  `${capitalize(spentText(budget))} (${dollarsText(spent)} dollars)`;

export const warningText = (budget: Budget) =>
  `${WARNING_PERCENT}% of ${whose[budget.scope]} ${budgetText(budget)} are spent; with the rest this is stopped`;
