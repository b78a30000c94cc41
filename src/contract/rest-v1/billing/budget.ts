// Budgets: spending limits per hour, day or month.

import Type, { type Static } from "typebox";
import { instant, labelFilter, labels, TAKES } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const MAX_DOLLARS = 1_000_000_000;

const name = Type.String({ maxLength: 191, description: "Display name; may be empty." });
const limit = Type.Number({
  minimum: 0.000001,
  maximum: MAX_DOLLARS,
  description: "Dollars per period, to the millionth.",
});
const period = Type.Enum(["hour", "day", "month"], {
  description: "The period, in UTC: a day begins at midnight, a month on its first day.",
});

const label = Type.String({
  pattern: "^[^=\\u0000]{1,63}=[^\\u0000]{0,255}$",
  [TAKES]: "a label such as team=vision",
  description: "Limits the cost of everything with this label, as name=value.",
});

const ownLabels = { ...labels, description: "Labels of the budget itself, which limit nothing." };

const budgetCreate = Type.Object(
  {
    name: Type.Optional(name),
    endpointId: Type.Optional(
      Type.String({ description: "Limits the cost of this endpoint's workers." }),
    ),
    keyId: Type.Optional(
      Type.String({
        description: "Limits the cost of the Pods and endpoints created with this API key.",
      }),
    ),
    label: Type.Optional(label),
    labels: Type.Optional(ownLabels),
    period,
    limit,
  },
  { title: "BudgetCreate", additionalProperties: false },
);

const budgetUpdate = Type.Object(
  { name: Type.Optional(name), labels: Type.Optional(ownLabels), limit: Type.Optional(limit) },
  { title: "BudgetUpdate", additionalProperties: false },
);

const budget = Type.Object(
  {
    id: Type.String(),
    name,
    scope: Type.Enum(["account", "endpoint", "key", "label"]),
    endpointId: Type.Optional(Type.String()),
    keyId: Type.Optional(Type.String()),
    label: Type.Optional(Type.String({ description: "As name=value." })),
    labels: Type.Optional(ownLabels),
    period,
    limit,
    spent: Type.Number({ description: "Dollars spent in this period." }),
    state: Type.Enum(["ok", "warning", "spent"], {
      description: '"warning" from 80% of the limit; "spent" at the limit.',
    }),
    periodStart: instant,
    periodEnd: { ...instant, description: "When the next period begins." },
    warnedAt: Type.Optional({
      ...instant,
      description: "When spending last reached 80% of the limit.",
    }),
    spentAt: Type.Optional({ ...instant, description: "When spending last reached the limit." }),
    createdAt: instant,
  },
  { title: "Budget" },
);
export type Budget = Static<typeof budget>;

const budgetPath = "/v1/budgets/{budgetId}";
const tag = "Budgets";
const read = { of: "rest", access: "read", area: "billing" } as const;
const needs = { of: "rest", access: "write", area: "billing" } as const;
const answer = { description: "The budget.", schema: budget } as const;

export const budgetOperations = {
  createBudget: {
    method: "POST",
    path: "/v1/budgets",
    tag,
    summary: "Create a budget",
    description:
      "A budget covers the account, or the endpoint, API key or label that it names. When it is spent, " +
      "the resources it covers stop within seconds and cannot start before the next period or a " +
      "higher limit.",
    needs,
    body: budgetCreate,
    once: true,
    answer: { status: 201, ...answer },
  },
  listBudgets: {
    method: "GET",
    path: "/v1/budgets",
    tag,
    summary: "List budgets",
    needs: read,
    query: Type.Object({ labels: Type.Optional(labelFilter) }),
    answer: { status: 200, description: "The budgets.", schema: Type.Array(budget) },
  },
  getBudget: {
    method: "GET",
    path: budgetPath,
    tag,
    summary: "Read a budget",
    needs: read,
    answer: { status: 200, ...answer },
  },
  updateBudget: {
    method: "PATCH",
    path: budgetPath,
    tag,
    summary: "Change a budget's name, labels or limit",
    description: "The new limit applies immediately, also to this period's spending.",
    needs,
    body: budgetUpdate,
    answer: { status: 200, ...answer },
  },
  deleteBudget: {
    method: "DELETE",
    path: budgetPath,
    tag,
    summary: "Delete a budget",
    needs,
    answer: { status: 204, description: "The budget is deleted." },
  },
} as const satisfies Operations;
