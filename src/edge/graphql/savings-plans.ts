// The account's savings plans, and what hangs on each.

import { roleCovers } from "../../domain/member/roles.ts";
import { readPlans } from "../../flows/savings-plan/read.ts";
import { typeOf } from "./catalog.ts";
import { accountFor, type Context } from "./context.ts";
import type { Fields } from "./fields.ts";
import { podOrNull } from "./pods.ts";
import { graphqlPlan } from "./savings-plan-read.ts";

export const savingsPlanFields: Fields = {
  User: {
    savingsPlans: (_, __, context) => plansRead(context),
  },
  SavingsPlan: {
    gpuType: ({ gpuTypeId }: { gpuTypeId: string }, _, context) => typeOf(context, gpuTypeId),
    pod: ({ podId }: { podId?: string }, _, context) => (podId ? podOrNull(context, podId) : null),
  },
};

/** None for whose role has no part in billing, as with the balance. */
async function plansRead(context: Context) {
  const role = context.key?.member?.role ?? null;
  if (!roleCovers(role, "billing", "read")) return [];
  const plans = await readPlans(context.deps, accountFor(context, "read", "billing"));
  return plans.filter(({ active }) => active).map(graphqlPlan);
}
