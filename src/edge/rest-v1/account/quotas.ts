// Routes of /v1/quota and /v1/idle-gpu-hours, and of the quotas of /v1/accounts.

import type { FastifyInstance } from "fastify";
import { HOUR_MS } from "../../../base/units.ts";
import { type Quota, quotaOperations } from "../../../contract/rest-v1/account/quota.ts";
import type { Quota as StoredQuota } from "../../../domain/quota/quota.ts";
import type { HeartbeatTiming } from "../../../domain/replica/heartbeat-timing.ts";
import { changeAccountQuota, changeMemberQuota } from "../../../flows/quota/change.ts";
import { type AccountQuotaUse, managedQuotaUse, quotaUseOf } from "../../../flows/quota/read.ts";
import type { CatalogDeps } from "../../management/deps.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { listIdleGpuHours } from "./idle-gpu.ts";
import {
  accountChanges,
  changesOf,
  guaranteesRead,
  limitsRead,
  shareRead,
  standardChanges,
  usedRead,
  useRead,
} from "./limits.ts";

interface Deps extends CatalogDeps {
  heartbeatTiming: HeartbeatTiming;
}

export function quotaRoutes(app: FastifyInstance, deps: Deps): void {
  serveOperations(app, quotaOperations, {
    listIdleGpuHours: (request) => listIdleGpuHours(deps, request),
    getQuota: async ({ accountId }) => quotaRead(await quotaUseOf(deps, accountId)),
    updateMemberDefaultQuota: async ({ accountId, body }) =>
      quotaRead(await changeMemberQuota(deps, accountId, null, standardChanges(body))),
    updateMemberQuota: async ({ accountId, params: { memberId }, body }) =>
      quotaRead(await changeMemberQuota(deps, accountId, memberId, changesOf(body))),
    getAccountQuota: async ({ accountId: by, params: { accountId } }) =>
      quotaRead(await managedQuotaUse(deps, by, accountId)),
    updateAccountQuota: async ({ accountId: by, params: { accountId }, body }) =>
      quotaRead(await changeAccountQuota(deps, by, accountId, accountChanges(body))),
  });
}

function quotaRead({ share, halfLifeMs, ...quota }: AccountQuotaUse): Quota {
  const { account, projects, standard, members, unowned } = quota;
  return {
    account: useRead(account),
    projects: projects.map(({ id, name, guarantees, ...project }) => {
      const { share: own, ...use } = project;
      return { id, name, ...useRead(use), ...guaranteesRead(guarantees), share: shareRead(own) };
    }),
    memberDefault: limitsRead(standard),
    members: members.map(({ id, name, own, ...use }) => {
      return { id, name, ...useRead(use), ownLimits: namesOf(own) };
    }),
    unowned: usedRead(unowned),
    shareWithoutProject: shareRead(share),
    shareHalfLifeHours: halfLifeMs / HOUR_MS,
  };
}

function namesOf({ rate, gpuTypes = {}, ...counts }: StoredQuota): string[] {
  return [
    ...Object.keys(counts),
    ...(rate === undefined ? [] : ["costPerHr"]),
    ...Object.keys(gpuTypes).map((id) => `gpuTypes.${id}`),
  ];
}
