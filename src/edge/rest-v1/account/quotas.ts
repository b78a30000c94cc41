// Routes of /v1/quota, and of the quotas of /v1/accounts.

import type { FastifyInstance } from "fastify";
import {
  type Quota,
  type QuotaLimits,
  type QuotaUpdate,
  type QuotaUsed,
  quotaOperations,
} from "../../../contract/rest-v1/account/quota.ts";
import type { Holding, QuotaChanges, Quota as StoredQuota } from "../../../domain/quota/quota.ts";
import { changeAccountQuota, changeMemberQuota } from "../../../flows/quota/change.ts";
import {
  type AccountQuotaUse,
  managedQuotaUse,
  type QuotaUse,
  quotaUseOf,
} from "../../../flows/quota/read.ts";
import { dollars } from "../../management/billing/dollars.ts";
import type { RestDeps } from "../../management/deps.ts";
import { serve } from "../../management/serve/serve.ts";

const MICROS_PER_DOLLAR = 1_000_000;

export function quotaRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, quotaOperations, {
    getQuota: async ({ accountId }) => quotaRead(await quotaUseOf(deps, accountId)),
    updateMemberDefaultQuota: async ({ accountId, body }) =>
      quotaRead(await changeMemberQuota(deps, accountId, null, standardChanges(body))),
    updateMemberQuota: async ({ accountId, params: { memberId }, body }) =>
      quotaRead(await changeMemberQuota(deps, accountId, memberId, changesOf(body))),
    getAccountQuota: async ({ accountId: by, params: { accountId } }) =>
      quotaRead(await managedQuotaUse(deps, by, accountId)),
    updateAccountQuota: async ({ accountId: by, params: { accountId }, body }) =>
      quotaRead(await changeAccountQuota(deps, by, accountId, standardChanges(body))),
  });
}

/** "default" removes what is set. */
function changesOf({ costPerHr, gpuTypes = {}, ...counts }: QuotaUpdate): QuotaChanges {
  const read = <Value>(limit: Value | "default") => (limit === "default" ? undefined : limit);
  const cost = read(costPerHr);
  const entries = Object.entries(counts).map(([name, limit]) => [name, read(limit)]);
  const types = Object.entries(gpuTypes).map(([id, limit]) => [id, read(limit)]);
  return {
    ...Object.fromEntries(entries),
    ...(costPerHr !== undefined && {
      rate: typeof cost === "number" ? Math.round(cost * MICROS_PER_DOLLAR) : cost,
    }),
    gpuTypes: Object.fromEntries(types),
  };
}

/** Where nothing else applies, no limit is the same as none set. */
function standardChanges({ gpuTypes = {}, ...limits }: QuotaUpdate): QuotaChanges {
  const unset = <Limits extends object>(all: Limits): Limits => {
    const entries = Object.entries(all).map(([name, limit]) => [name, limit ?? "default"]);
    return Object.fromEntries(entries);
  };
  return changesOf({ ...unset(limits), gpuTypes: unset(gpuTypes) });
}

function quotaRead({ account, standard, members, unowned }: AccountQuotaUse): Quota {
  return {
    account: useRead(account),
    memberDefault: limitsRead(standard),
    members: members.map(({ id, name, own, ...use }) => {
      return { id, name, ...useRead(use), ownLimits: namesOf(own) };
    }),
    unowned: usedRead(unowned),
  };
}

function useRead({ holding, quota, over }: QuotaUse) {
  return { used: usedRead(holding), limits: limitsRead(quota), over };
}

function usedRead({ rate, ...counts }: Holding): QuotaUsed {
  return { ...counts, costPerHr: dollars(rate) };
}

function limitsRead({ rate, gpuTypes = {}, ...counts }: StoredQuota): QuotaLimits {
  const types = numbersOf(gpuTypes);
  return {
    ...numbersOf(counts),
    ...(typeof rate === "number" && { costPerHr: dollars(rate) }),
    ...(Object.keys(types).length > 0 && { gpuTypes: types }),
  };
}

function numbersOf(limits: Readonly<Record<string, number | null | undefined>>) {
  const entries = Object.entries(limits).filter(([, limit]) => typeof limit === "number");
  return Object.fromEntries(entries) as Record<string, number>;
}

function namesOf({ rate, gpuTypes = {}, ...counts }: StoredQuota): string[] {
  return [
    ...Object.keys(counts),
    ...(rate === undefined ? [] : ["costPerHr"]),
    ...Object.keys(gpuTypes).map((id) => `gpuTypes.${id}`),
  ];
}
