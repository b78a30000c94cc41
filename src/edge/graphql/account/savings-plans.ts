// The savings plans of the account.

import { readPlans } from "../../../flows/savings-plan/read.ts";
import { readGpuType } from "../machine/catalog.ts";
import { type PodQueryDeps, podOrNull } from "../pod/pods.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { accountFor, type GraphqlContext } from "../schema/context.ts";
import { graphqlSavingsPlan } from "../view/savings-plan-view.ts";
import { coversBilling } from "../view/user-view.ts";

export const savingsPlanResolvers: Resolvers<GraphqlContext<PodQueryDeps>> = {
  User: {
    savingsPlans: (_, __, context) => readSavingsPlans(context),
  },
  SavingsPlan: {
    gpuType: ({ gpuTypeId }, _, context) => readGpuType(context, gpuTypeId),
    pod: ({ podId }, _, context) => (podId ? podOrNull(context, podId) : null),
  },
};

/** Empty for a role without access to billing. */
async function readSavingsPlans(context: GraphqlContext<PodQueryDeps>) {
  if (!coversBilling(context)) return [];
  const plans = await readPlans(context.deps, accountFor(context, "read", "billing"));
  return plans.filter(({ active }) => active).map(graphqlSavingsPlan);
}
