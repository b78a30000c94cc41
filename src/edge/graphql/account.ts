// The account itself, and what hangs on it.

import { roleCovers } from "../../domain/member/roles.ts";
import { accountOf } from "../../flows/account/read.ts";
import { spentOnWhat, standing } from "../../flows/billing/standing.ts";
import { memberOfKey } from "../../flows/member/read.ts";
import { dollars } from "../rest-v1/dollars.ts";
import { accountFor, type Context } from "./context.ts";
import { endpointOrNull, endpointsRead } from "./endpoints.ts";
import type { Fields } from "./fields.ts";
import { podsRead } from "./pods.ts";
import { ownTemplates } from "./templates.ts";

export const accountFields: Fields = {
  Query: {
    myself: (_, __, context) => (context.key ? userRead(context) : null),
  },
  User: {
    pods: (_, __, context) => podsRead(context),
    endpoints: (_, __, context) => endpointsRead(context),
    endpoint: (_, { id }: { id: string }, context) => endpointOrNull(context, id),
    podTemplates: (_, __, context) => ownTemplates(context),
    clientBalance: async (user: User) => dollarsOf((await user.standing())?.balance),
    currentSpendPerHr: async (user: User) => dollarsOf((await user.standing())?.perHour),
    clientLifetimeSpend: async (user: User) => dollarsOf((await user.standing())?.spent),
    underBalance: async (user: User) => {
      const stands = await user.standing();
      return stands ? stands.limited && stands.balance <= 0 : null;
    },
    spendDetails: (_, __, context) => spendDetails(context),
  },
};

type User = Awaited<ReturnType<typeof userRead>>;

export async function userRead(context: Context) {
  const { id, name } = await accountOf(context.deps, accountFor(context, "read", "own"));
  const member = context.key && (await memberOfKey(context.deps, context.key));
  let looked: ReturnType<typeof standingOf> | null = null;
  return {
    id,
    authId: id,
    // Looked at once, however many of its fields are asked for.
    standing: () => (looked ??= standingOf(context)),
    email: member?.email ?? (name.includes("@") ? name : null),
    clusters: [],
    cluster: null,
    flashApps: [],
    isTeam: false,
    multiFactorEnabled: false,
    signedTermsOfService: true,
    notifyPodsStale: false,
    notifyPodsGeneral: false,
    notifyLowBalance: false,
    notifyOther: false,
    creditBalance: 0,
    // At it, what runs is stopped.
    minBalance: 0,
    referralEarned: 0,
    templateEarned: 0,
  };
}

/** Null for whose role has no part in billing: clients ask for it beside what they need. */
async function standingOf(context: Context) {
  return maySeeMoney(context)
    ? standing(context.deps, accountFor(context, "read", "billing"))
    : null;
}

async function spendDetails(context: Context) {
  if (!maySeeMoney(context)) return null;
  const spent = await spentOnWhat(context.deps, accountFor(context, "read", "billing"));
  return {
    localStoragePerHour: dollars(spent.localStorage),
    networkStoragePerHour: dollars(spent.networkStorage),
    gpuComputePerHour: dollars(spent.compute),
  };
}

const maySeeMoney = ({ key }: Context) => roleCovers(key?.member?.role ?? null, "billing", "read");

const dollarsOf = (micros: number | undefined) => (micros === undefined ? null : dollars(micros));
