// The GraphQL view of the caller's account.

import { roleCovers } from "../../../domain/member/roles.ts";
import { accountOf } from "../../../flows/account/read.ts";
import { type StandingDeps, standing } from "../../../flows/billing/standing.ts";
import { memberOfKey } from "../../../flows/member/read.ts";
import { accountFor, type GraphqlContext } from "../schema/context.ts";

export async function readUser(context: GraphqlContext<StandingDeps>) {
  const { id, name } = await accountOf(context.deps, accountFor(context, "read", "own"));
  const member = context.key && (await memberOfKey(context.deps, context.key));
  let balance: ReturnType<typeof readStanding> | null = null;
  return {
    id,
    authId: id,
    /** Read once, however many of its fields the document asks for. */
    standing: () => (balance ??= readStanding(context)),
    email: member?.email ?? (name.includes("@") ? name : null),
    multiFactorEnabled: false,
    signedTermsOfService: true,
    notifyPodsStale: false,
    notifyPodsGeneral: false,
    notifyLowBalance: false,
    notifyOther: false,
    creditBalance: 0,
    // The balance at which workloads are stopped.
    minBalance: 0,
    referralEarned: 0,
    templateEarned: 0,
  };
}

/** Null for a role without access to billing: clients ask for it beside what they need. */
async function readStanding(context: GraphqlContext<StandingDeps>) {
  return coversBilling(context)
    ? standing(context.deps, accountFor(context, "read", "billing"))
    : null;
}

export const coversBilling = ({ key }: GraphqlContext) =>
  roleCovers(key?.member?.role ?? null, "billing", "read");
