// The account itself, and what hangs on it.

import { roleCovers } from "../../domain/member/roles.ts";
import { accountOf } from "../../flows/account/read.ts";
import { standing } from "../../flows/billing/standing.ts";
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
    clientBalance: async (_, __, context) => dollarsOf((await standingOf(context))?.balance),
    currentSpendPerHr: async (_, __, context) => dollarsOf((await standingOf(context))?.perHour),
  },
};

export async function userRead(context: Context) {
  const { id, name } = await accountOf(context.deps, accountFor(context, "read", "own"));
  const member = context.key && (await memberOfKey(context.deps, context.key));
  return {
    id,
    authId: id,
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
    referralEarned: 0,
    templateEarned: 0,
  };
}

/** Null for whose role has no part in billing: clients ask for it beside what they need. */
async function standingOf(context: Context) {
  const role = context.key?.member?.role ?? null;
  if (!roleCovers(role, "billing", "read")) return null;
  return standing(context.deps, accountFor(context, "read", "billing"));
}

const dollarsOf = (micros: number | undefined) => (micros === undefined ? null : dollars(micros));
