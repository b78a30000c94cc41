// The account of the caller, and the fields of `User`.

import { roleCovers } from "../../../domain/member/roles.ts";
import { accountOf } from "../../../flows/account/read.ts";
import { spendingByResource, standing } from "../../../flows/billing/standing.ts";
import { memberOfKey, membersOf } from "../../../flows/member/read.ts";
import { dollars } from "../../management/billing/dollars.ts";
import { clusterOrNull, readClusterList } from "../cluster/clusters.ts";
import { endpointOrNull, readEndpointList } from "../endpoint/endpoints.ts";
import { readPodList } from "../pod/pods.ts";
import { accountFor, type Context } from "../schema/context.ts";
import type { Resolvers } from "../schema/types.generated.ts";
import { readOwnTemplates } from "../template/templates.ts";

export const accountResolvers: Resolvers = {
  Query: {
    myself: (_, __, context) => (context.key ? readUser(context) : null),
  },
  User: {
    pods: (_, { createdBy }, context) => readPodList(context, createdBy),
    endpoints: (_, { createdBy }, context) => readEndpointList(context, createdBy),
    endpoint: (_, { id }, context) => endpointOrNull(context, id),
    clusters: (_, { createdBy }, context) => readClusterList(context, createdBy),
    // Without an id there is no cluster to find.
    cluster: (_, { input }, context) => (input ? clusterOrNull(context, input.id) : null),
    podTemplates: (_, { createdBy }, context) => readOwnTemplates(context, createdBy),
    clientBalance: async (user) => dollarsOrNull((await user.standing())?.balance),
    currentSpendPerHr: async (user) => dollarsOrNull((await user.standing())?.perHour),
    clientLifetimeSpend: async (user) => dollarsOrNull((await user.standing())?.spent),
    underBalance: async (user) => {
      const balance = await user.standing();
      return balance ? balance.limited && balance.balance <= 0 : null;
    },
    isTeam: async (_, __, context) =>
      (await membersOf(context.deps, accountFor(context, "read", "own"))).length > 0,
    spendDetails: (_, __, context) => readSpendDetails(context),
  },
};

export async function readUser(context: Context) {
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
async function readStanding(context: Context) {
  return coversBilling(context)
    ? standing(context.deps, accountFor(context, "read", "billing"))
    : null;
}

async function readSpendDetails(context: Context) {
  if (!coversBilling(context)) return null;
  const spend = await spendingByResource(context.deps, accountFor(context, "read", "billing"));
  return {
    localStoragePerHour: dollars(spend.localStorage),
    networkStoragePerHour: dollars(spend.networkStorage),
    gpuComputePerHour: dollars(spend.compute),
  };
}

export const coversBilling = ({ key }: Context) =>
  roleCovers(key?.member?.role ?? null, "billing", "read");

const dollarsOrNull = (micros: number | undefined) =>
  micros === undefined ? null : dollars(micros);
