// What an account and each of its projects and members hold, beside their quotas.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { type GroupShare, groupOf, partOfUse } from "../../domain/gpu-use/share-order.ts";
import type { GuaranteeUse } from "../../domain/guarantee/guarantee.ts";
import type { MemberName } from "../../domain/member/member.ts";
import type { Project } from "../../domain/project/project.ts";
import {
  effectiveQuota,
  nothingHeld,
  overQuota,
  type Quota,
  type QuotaHolding,
  sumOf,
} from "../../domain/quota/quota.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import { type Counted, reservedWithin } from "../../domain/reservation/counted.ts";
import { findManaged } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findMemberName, listMembers } from "../../store/member/member.ts";
import { listProjects } from "../../store/project/project.ts";
import { holdingsOf } from "../../store/quota/holdings.ts";
import { quotasOf } from "../../store/quota/quota.ts";
import { reservationsOf } from "../../store/reservation/reservation.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { readShares } from "../../transactions/gpu-use/shares.ts";
import { readGuaranteeUses } from "../../transactions/place/guaranteed.ts";
import { accountQuota } from "../../transactions/quota/account-quota.ts";
import { throwRefusal } from "../throw-refusal.ts";

/** What is held, what may be held, and what is held beyond that, such as "7 of 4 GPUs". */
export interface QuotaUse {
  holding: QuotaHolding;
  quota: Quota;
  over: string[];
}

export interface MemberQuotaUse extends QuotaUse, MemberName {
  /** What is set for the member itself. */
  own: Quota;
}

/** What a project has used over time. */
export interface ShareUse extends GroupShare {
  /** The part of all that was used, from 0 to 1. */
  part: number;
}

export interface ProjectQuotaUse extends QuotaUse, Project {
  guarantees: GuaranteeUse[];
  share: ShareUse;
}

export interface AccountQuotaUse {
  account: QuotaUse;
  projects: ProjectQuotaUse[];
  /** For each member that has no limit of its own. */
  standard: Quota;
  /** The members, and former members that something still belongs to. */
  members: MemberQuotaUse[];
  /** What belongs to the account alone. */
  unowned: QuotaHolding;
  /** The use of all that is in no project. */
  share: ShareUse;
  halfLifeMs: number;
}

export interface QuotaReadDeps {
  store: Store;
  clock: Clock;
  heartbeatTiming: HeartbeatTiming;
}

interface Instants {
  now: number;
  /** Machines that reported since this instant count. */
  since: number;
}

const instantsOf = ({ clock, heartbeatTiming }: QuotaReadDeps): Instants => {
  const now = clock.now();
  return { now, since: now - heartbeatTiming.goneMs };
};

export function quotaUseOf(deps: QuotaReadDeps, accountId: string) {
  return deps.store.read(readQuotaUse, accountId, instantsOf(deps));
}

/** The use of any account, read by the operator. */
export function managedQuotaUse(
  deps: QuotaReadDeps,
  by: string,
  accountId: string,
): Promise<AccountQuotaUse> {
  return throwRefusal(deps.store.read(readManaged, by, accountId, instantsOf(deps)));
}

function* readManaged(by: string, id: string, instants: Instants): Tx<AccountQuotaUse | Fault> {
  const refusal = yield* requireOperator(by);
  if (refusal) return refusal;
  if (!(yield* findManaged(id))) return new Fault("account_not_found", { id });
  return yield* readQuotaUse(id, instants);
}

function* readQuotaUse(accountId: string, { now, since }: Instants): Tx<AccountQuotaUse> {
  const guarantees = yield* readGuaranteeUses(since, now);
  const quotas = yield* quotasOf(accountId);
  const holdings = yield* holdingsOf(accountId);
  const { members: standard = {}, byMember, byProject } = quotas ?? {};
  const span = { from: now, until: Number.MAX_SAFE_INTEGER };
  const reservations = yield* reservationsOf(accountId, span);
  const held = (ids: Iterable<string | null>, holder: Counted): QuotaHolding => ({
    ...sumOf([...ids].map((id) => holdings.get(id) ?? nothingHeld)),
    reservedGpus: reservedWithin(reservations, holder, span),
  });
  const { uses, halfLifeMs, of } = yield* readShares(now);
  const shareOf = (projectId: string | null): ShareUse => {
    const group = groupOf(accountId, projectId);
    return { ...of(group), part: partOfUse(group, uses) };
  };
  const members = yield* listMembers(accountId);
  const names: MemberName[] = members.map(({ id, name }) => ({ id, name }));
  const ownerIds = reservations.map(({ owner }) => owner?.id ?? null);
  for (const id of new Set([...holdings.keys(), ...ownerIds])) {
    if (id === null || members.some((each) => each.id === id)) continue;
    names.push((yield* findMemberName(id)) ?? { id, name: id });
  }
  return {
    account: useOf(
      held(holdings.keys(), { kind: "account" }),
      yield* accountQuota(accountId, quotas),
    ),
    projects: (yield* listProjects(accountId)).map((project) => {
      const ids = project.members.map(({ id }) => id);
      const holding = held(ids, { ...project, kind: "project" });
      return {
        ...project,
        ...useOf(holding, byProject?.get(project.id) ?? {}),
        guarantees: guarantees.filter(({ projectId }) => projectId === project.id),
        share: shareOf(project.id),
      };
    }),
    standard,
    members: names.map(({ id, name }) => {
      const own = byMember?.get(id) ?? {};
      const quota = effectiveQuota(own, standard);
      return { id, name, own, ...useOf(held([id], { kind: "member", id }), quota) };
    }),
    unowned: held([null], { kind: "member", id: null }),
    share: shareOf(null),
    halfLifeMs,
  };
}

function useOf(holding: QuotaHolding, quota: Quota): QuotaUse {
  return { holding, quota, over: overQuota(quota, holding) };
}
