// The account of the caller, and the fields of `User`.

import { type StandingDeps, spendingByResource } from "../../../flows/billing/standing.ts";
import { membersOf } from "../../../flows/member/read.ts";
import { dollars } from "../../management/billing/dollars.ts";
import { clusterOrNull, readClusterList } from "../cluster/clusters.ts";
import { type EndpointReadDeps, endpointOrNull, readEndpointList } from "../endpoint/endpoints.ts";
import { type PodQueryDeps, readPodList } from "../pod/pods.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { accountFor, type GraphqlContext } from "../schema/context.ts";
import { readOwnTemplates, type TemplateReadDeps } from "../template/templates.ts";
import { coversBilling, readUser } from "../view/user-view.ts";
import { readBilling } from "./billing.ts";

interface Deps extends StandingDeps, PodQueryDeps, EndpointReadDeps, TemplateReadDeps {}

export const accountResolvers: Resolvers<GraphqlContext<Deps>> = {
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
    billing: (_, { input }, context) => readBilling(context, input),
  },
};

async function readSpendDetails(context: GraphqlContext<Deps>) {
  if (!coversBilling(context)) return null;
  const spend = await spendingByResource(context.deps, accountFor(context, "read", "billing"));
  return {
    localStoragePerHour: dollars(spend.localStorage),
    networkStoragePerHour: dollars(spend.networkStorage),
    gpuComputePerHour: dollars(spend.compute),
  };
}

const dollarsOrNull = (micros: number | undefined) =>
  micros === undefined ? null : dollars(micros);
