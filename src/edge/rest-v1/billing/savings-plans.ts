// Routes of /v1/savings-plans.

import type { FastifyInstance } from "fastify";
import {
  type SavingsPlan,
  savingsPlanOperations,
} from "../../../contract/rest-v1/billing/savings-plan.ts";
import { buyPlan, grantPlan } from "../../../flows/savings-plan/create.ts";
import { readPlan, readPlans } from "../../../flows/savings-plan/read.ts";
import { microsOf } from "../../management/billing/dollars.ts";
import { savingsPlanRead } from "../../management/billing/savings-plan-view.ts";
import type { CatalogDeps } from "../../management/deps.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";

export function savingsPlanRoutes(app: FastifyInstance, deps: CatalogDeps): void {
  serveOperations(app, savingsPlanOperations, {
    async createSavingsPlan({ accountId, key: by, body, once }) {
      const { upfrontCost: paid, ...plan } = body;
      plan satisfies Whole<typeof plan, PlanBody>;
      const upfrontCost = paid === undefined ? null : microsOf(paid, "upfrontCost");
      const request = { ...requestOf(plan), by, accountId, upfrontCost, once };
      return savingsPlanRead(await buyPlan(deps, request));
    },
    async listSavingsPlans({ accountId }) {
      return (await readPlans(deps, accountId)).map(savingsPlanRead);
    },
    async getSavingsPlan({ accountId, params }) {
      return savingsPlanRead(await readPlan(deps, accountId, params.savingsPlanId));
    },
    async grantSavingsPlan({ key: by, params: { accountId }, body, once }) {
      body satisfies Whole<typeof body, PlanBody>;
      const request = { ...requestOf(body), by, accountId, upfrontCost: null, once };
      return savingsPlanRead(await grantPlan(deps, request));
    },
  });
}

interface PlanBody {
  gpuTypeId: string;
  gpuCount?: number;
  planLength: SavingsPlan["planLength"];
  podId?: string;
}

function requestOf({ gpuTypeId, gpuCount = 1, planLength: length, podId }: PlanBody) {
  return { gpuTypeId, gpuCount, length, podId: podId ?? null };
}
