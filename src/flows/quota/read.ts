// What an account and each of its projects and members hold, beside their quotas.

import { Fault } from "../../domain/fault.ts";
import type { MemberName } from "../../domain/member/member.ts";
import type { Project } from "../../domain/project/project.ts";
import {
  effectiveQuota,
  type Holding,
  nothingHeld,
  overQuota,
  type Quota,
  sumOf,
} from "../../domain/quota/quota.ts";
import { findManaged } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findMemberName, listMembers } from "../../store/member/member.ts";
import { listProjects } from "../../store/project/project.ts";
import { holdingsOf } from "../../store/quota/holdings.ts";
import { quotasOf } from "../../store/quota/quota.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { throwRefusal } from "../throw-refusal.ts";

/** What is held, what may be held, and what is held beyond that, such as "7 of 4 GPUs". */
export interface QuotaUse {
  holding: Holding;
  quota: Quota;
  over: string[];
}

export interface MemberQuotaUse extends QuotaUse, MemberName {
  /** What is set for the member itself. */
  own: Quota;
}

export interface ProjectQuotaUse extends QuotaUse, Project {}

export interface AccountQuotaUse {
  account: QuotaUse;
  projects: ProjectQuotaUse[];
  /** For each member that has no limit of its own. */
  standard: Quota;
  /** The members, and former members that something still belongs to. */
  members: MemberQuotaUse[];
  /** What belongs to the account alone. */
  unowned: Holding;
}

export function quotaUseOf({ store }: { store: Store }, accountId: string) {
  return store.read(readQuotaUse, accountId);
}

/** Of any account, by the operator. */
export function managedQuotaUse(
  { store }: { store: Store },
  by: string,
  accountId: string,
): Promise<AccountQuotaUse> {
  return throwRefusal(store.read(readManaged, by, accountId));
}

function* readManaged(by: string, id: string): Tx<AccountQuotaUse | Fault> {
  const refusal = yield* requireOperator(by);
  if (refusal) return refusal;
  if (!(yield* findManaged(id))) return new Fault("account_not_found", { id });
  return yield* readQuotaUse(id);
}

function* readQuotaUse(accountId: string): Tx<AccountQuotaUse> {
  const quotas = yield* quotasOf(accountId);
  const holdings = yield* holdingsOf(accountId);
  const { account = {}, members: standard = {}, byMember, byProject } = quotas ?? {};
  const holdingFor = (id: string) => holdings.get(id) ?? nothingHeld;
  const members = yield* listMembers(accountId);
  const names: MemberName[] = members.map(({ id, name }) => ({ id, name }));
  for (const id of holdings.keys()) {
    if (id === null || members.some((each) => each.id === id)) continue;
    names.push((yield* findMemberName(id)) ?? { id, name: id });
  }
  return {
    account: useOf(sumOf([...holdings.values()]), account),
    projects: (yield* listProjects(accountId)).map((project) => ({
      ...project,
      ...useOf(
        sumOf(project.members.map(({ id }) => holdingFor(id))),
        byProject?.get(project.id) ?? {},
      ),
    })),
    standard,
    members: names.map(({ id, name }) => {
      const own = byMember?.get(id) ?? {};
      const quota = effectiveQuota(own, standard);
      return { id, name, own, ...useOf(holdingFor(id), quota) };
    }),
    unowned: holdings.get(null) ?? nothingHeld,
  };
}

function useOf(holding: Holding, quota: Quota): QuotaUse {
  return { holding, quota, over: overQuota(quota, holding) };
}
