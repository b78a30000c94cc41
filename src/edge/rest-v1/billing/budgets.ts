// Routes of /v1/budgets.

import type { FastifyInstance } from "fastify";
import { type Budget, budgetOperations } from "../../../contract/rest-v1/billing/budget.ts";
import { hasLabels, noLabels } from "../../../domain/label/labels.ts";
import { changeBudgetOf, deleteBudgetOf } from "../../../flows/budget/change.ts";
import { createBudget } from "../../../flows/budget/create.ts";
import { type BudgetView, budgetsOf, readBudget } from "../../../flows/budget/read.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { dollars, microsOf } from "../../management/billing/dollars.ts";
import { instant, present } from "../../management/serve/instant.ts";
import { labelFilterOf, labelsRead } from "../../management/serve/labels.ts";
import { serveOperations } from "../../management/serve/serve.ts";

export function budgetRoutes(app: FastifyInstance, deps: FlowDeps): void {
  serveOperations(app, budgetOperations, {
    async createBudget({ key: by, body, once }) {
      const { name = "", endpointId = null, keyId = null, label = null, ...others } = body;
      const { labels = noLabels, period, limit: dollars, ...rest } = others;
      rest satisfies Record<string, never>;
      const limit = microsOf(dollars, "limit");
      const request = { by, name, labels, endpointId, keyId, label, period, limit, once };
      return budgetRead(await createBudget(deps, request));
    },
    async listBudgets({ accountId, query }) {
      const filter = labelFilterOf(query);
      const views = await budgetsOf(deps, accountId);
      return views.filter(({ budget }) => hasLabels(budget.labels, filter)).map(budgetRead);
    },
    async getBudget({ accountId, params }) {
      return budgetRead(await readBudget(deps, accountId, params.budgetId));
    },
    async updateBudget({ key: by, params, body }) {
      const { name, labels, limit, ...rest } = body;
      rest satisfies Record<string, never>;
      const changes = {
        ...(name !== undefined && { name }),
        ...(labels !== undefined && { labels }),
        ...(limit !== undefined && { limit: microsOf(limit, "limit") }),
      };
      return budgetRead(await changeBudgetOf(deps, by, params.budgetId, changes));
    },
    async deleteBudget({ key: by, params }) {
      await deleteBudgetOf(deps, by, params.budgetId);
    },
  });
}

function budgetRead({ budget, spent, state, periodStart, periodEnd }: BudgetView): Budget {
  const { id, name, scope, subjectId, period, limit, warnedAt, spentAt, createdAt } = budget;
  return {
    id,
    name,
    scope,
    ...(scope === "endpoint" && { endpointId: subjectId }),
    ...(scope === "key" && { keyId: subjectId }),
    ...(scope === "label" && { label: subjectId }),
    ...labelsRead(budget),
    period,
    limit: dollars(limit),
    spent: dollars(spent),
    state,
    periodStart: instant(periodStart),
    periodEnd: instant(periodEnd),
    ...present({ warnedAt, spentAt }),
    createdAt: instant(createdAt),
  };
}
