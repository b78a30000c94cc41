// Budgets: what may be spent in each hour, day or month before things are stopped.

import Type, { type Static } from "typebox";
import { instant } from "../fields.ts";
import type { Operations } from "../operation.ts";

const MOST_DOLLARS = 1_000_000_000;

const name = Type.String({ maxLength: 191, description: "For people; may be empty." });
const limit = Type.Number({
  minimum: 0.000001,
  maximum: MOST_DOLLARS,
  description: "Dollars, to the millionth, in each period.",
});
const period = Type.Enum(["hour", "day", "month"], {
  description: "In UTC: a day begins at midnight, a month on its first.",
});

export const budgetCreate = Type.Object(
  {
    name: Type.Optional(name),
    endpointId: Type.Optional(
      Type.String({ description: "Only what the workers of this endpoint cost." }),
    ),
    keyId: Type.Optional(
      Type.String({ description: "Only what was made with this API key: Pods and endpoints." }),
    ),
    period,
    limit,
  },
  { title: "BudgetCreate", additionalProperties: false },
);

export const budgetUpdate = Type.Object(
  { name: Type.Optional(name), limit: Type.Optional(limit) },
  { title: "BudgetUpdate", additionalProperties: false },
);

export const budget = Type.Object(
  {
    id: Type.String(),
    name,
    scope: Type.Enum(["account", "endpoint", "key"]),
    endpointId: Type.Optional(Type.String()),
    keyId: Type.Optional(Type.String()),
    period,
    limit,
    spent: Type.Number({ description: "Dollars, in this period up to now." }),
    state: Type.Enum(["ok", "warning", "spent"], {
      description: '"warning" from 80 % of the limit on; "spent" from all of it on.',
    }),
    periodStart: instant,
    periodEnd: { ...instant, description: "When a new period begins, of which nothing is spent." },
    warnedAt: Type.Optional({ ...instant, description: "When 80 % were last seen spent." }),
    spentAt: Type.Optional({ ...instant, description: "When all was last seen spent." }),
    createdAt: instant,
  },
  { title: "Budget" },
);
export type Budget = Static<typeof budget>;

const one = "/v1/budgets/{budgetId}";
const tag = "Budgets";
const read = { of: "rest", access: "read", area: "billing" } as const;
const needs = { of: "rest", access: "write", area: "billing" } as const;
const answer = { description: "The budget.", schema: budget } as const;

export const budgetOperations = {
  createBudget: {
    method: "POST",
    path: "/v1/budgets",
    tag,
    summary: "Set a budget",
    description:
      "For the account, or for one endpoint or one API key where it is named. Once it is spent, " +
      "what counts against it is stopped within seconds, and nothing more is started before the " +
      "next period or a higher limit.",
    needs,
    body: budgetCreate,
    once: true,
    answer: { status: 201, ...answer },
  },
  listBudgets: {
    method: "GET",
    path: "/v1/budgets",
    tag,
    summary: "List budgets, with what is spent of them",
    needs: read,
    answer: { status: 200, description: "The budgets.", schema: Type.Array(budget) },
  },
  getBudget: {
    method: "GET",
    path: one,
    tag,
    summary: "Read a budget, with what is spent of it",
    needs: read,
    answer: { status: 200, ...answer },
  },
  updateBudget: {
    method: "PATCH",
    path: one,
    tag,
    summary: "Rename a budget, or give it another limit",
    description: "The limit counts at once, for what is spent in this period too.",
    needs,
    body: budgetUpdate,
    answer: { status: 200, ...answer },
  },
  deleteBudget: {
    method: "DELETE",
    path: one,
    tag,
    summary: "Delete a budget",
    needs,
    answer: { status: 204, description: "It is gone." },
  },
} as const satisfies Operations;
