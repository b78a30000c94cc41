// /v1/savings-plans.

import type { FastifyInstance } from "fastify";
import { type SavingsPlan, savingsPlanOperations } from "../../contract/rest-v1/savings-plan.ts";
import { buyPlan, givePlan } from "../../flows/savings-plan/create.ts";
import { readPlan, readPlans } from "../../flows/savings-plan/read.ts";
import type { RestDeps } from "./deps.ts";
import { microsOf } from "./dollars.ts";
import { savingsPlanRead } from "./savings-plan-read.ts";
import { serve } from "./serve.ts";

export function savingsPlanRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, savingsPlanOperations, {
    async createSavingsPlan({ accountId, key: by, body, once }) {
      const { upfrontCost: said } = body;
      const upfrontCost = said === undefined ? null : microsOf(said, "upfrontCost");
      const wanted = { ...wantedOf(body), by, accountId, upfrontCost, once };
      return savingsPlanRead(await buyPlan(deps, wanted));
    },
    async listSavingsPlans({ accountId }) {
      return (await readPlans(deps, accountId)).map(savingsPlanRead);
    },
    async getSavingsPlan({ accountId, params }) {
      return savingsPlanRead(await readPlan(deps, accountId, params.savingsPlanId));
    },
    async grantSavingsPlan({ key: by, params: { accountId }, body, once }) {
      const wanted = { ...wantedOf(body), by, accountId, upfrontCost: null, once };
      return savingsPlanRead(await givePlan(deps, wanted));
    },
  });
}

interface Body {
  gpuTypeId: string;
  gpuCount?: number;
  planLength: SavingsPlan["planLength"];
  podId?: string;
}

function wantedOf({ gpuTypeId, gpuCount = 1, planLength: length, podId }: Body) {
  return { gpuTypeId, gpuCount, length, podId: podId ?? null };
}
