// Checks that what would be held stays within the quotas of the account, and of the member that it belongs to and its project.

import type { EndpointSpec } from "../../domain/endpoint/endpoint.ts";
import type { Fault } from "../../domain/fault.ts";
import type { Owned } from "../../domain/member/member.ts";
import {
  type Addition,
  effectiveQuota,
  exhaustedTypes,
  type Holder,
  hasLimits,
  nothingHeld,
  type Quota,
  type QuotaHolding,
  refuseAddition,
  ruledOutTypes,
  sumOf,
} from "../../domain/quota/quota.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findMemberName } from "../../store/member/member.ts";
import { findProjectOf } from "../../store/project/project.ts";
import { holdingsOf } from "../../store/quota/holdings.ts";
import { type Quotas, quotasOf } from "../../store/quota/quota.ts";

/** The account and the member that something belongs to. */
export interface QuotaSubject extends Owned {
  accountId: string;
  /** In place of an owner with a name; null or absent for what belongs to the account alone. */
  ownerId?: string | null;
  /** Whether the member is the caller, which the refusal then addresses. */
  isCaller?: boolean;
}

/** The decision is exact while the transaction holds the account. */
export function* requireQuota(subject: QuotaSubject, addition: Addition): Tx<Fault | null> {
  return yield* requireWithin(yield* limitsOn(subject), subject, addition);
}

/** Decides by limits that were read already. */
export function* requireWithin(
  limits: readonly QuotaLimit[],
  subject: QuotaSubject,
  addition: Addition,
): Tx<Fault | null> {
  for (const { quota, holding, holder } of limits) {
    const named = holder === "member" ? yield* memberHolder(subject) : holder;
    const refusal = refuseAddition(named, quota, holding, addition);
    if (refusal) return refusal;
  }
  return null;
}

/** The GPU types of which the limits allow no further `count`. */
export function exhaustedWithin(limits: readonly QuotaLimit[], count: number): string[] {
  if (count === 0) return [];
  return limits.flatMap(({ quota, holding }) => exhaustedTypes(quota, holding, count));
}

/** The GPU types of which an account's quotas never allow a member `count`. */
export function ruledOutFor(
  quotas: Quotas | null,
  { ownerId, projectId }: { ownerId: string | null; projectId: string | null },
  count: number,
): string[] {
  if (!quotas) return [];
  const { account, members, byMember, byProject } = quotas;
  const own = ownerId === null ? {} : effectiveQuota(byMember.get(ownerId) ?? {}, members);
  const shared = byProject.get(projectId ?? "") ?? {};
  return ruledOutWithin(
    [account, own, shared].map((quota) => ({ quota })),
    count,
  );
}

/** The GPU types of which the limits never allow `count`. */
export function ruledOutWithin(
  limits: readonly Pick<QuotaLimit, "quota">[],
  count: number,
): string[] {
  if (count === 0) return [];
  return limits.flatMap(({ quota }) => ruledOutTypes(quota, count));
}

/** The GPU types of which the quotas allow no further worker of the endpoint. */
export function* exhaustedForWorker(
  endpoint: QuotaSubject & { spec: Pick<EndpointSpec, "computeType" | "gpuCount"> },
): Tx<string[]> {
  const { computeType, gpuCount } = endpoint.spec;
  if (computeType !== "GPU") return [];
  return exhaustedWithin(yield* limitsOn(endpoint), gpuCount);
}

export interface QuotaLimit {
  /** A member's name is read for a refusal only. */
  holder: Exclude<Holder, { kind: "member" }> | "member";
  quota: Quota;
  holding: QuotaHolding;
}

/** The quotas with a limit: the member's, the project's, the account's. Without any, nothing else is read. */
export function* limitsOn({ accountId, ...subject }: QuotaSubject): Tx<QuotaLimit[]> {
  const quotas = yield* quotasOf(accountId);
  if (!quotas) return [];
  const ownerId = subject.owner?.id ?? subject.ownerId ?? null;
  const { account, members, byMember, byProject } = quotas;
  const own = ownerId === null ? {} : effectiveQuota(byMember.get(ownerId) ?? {}, members);
  const isShared = ownerId !== null && [...byProject.values()].some(hasLimits);
  const project = isShared ? yield* findProjectOf(ownerId) : undefined;
  const shared = project ? (byProject.get(project.id) ?? {}) : {};
  if (![account, own, shared].some(hasLimits)) return [];
  const holdings = yield* holdingsOf(accountId);
  const holdingOf = (id: string | null) => holdings.get(id) ?? nothingHeld;
  const limits: QuotaLimit[] = [{ holder: "member", quota: own, holding: holdingOf(ownerId) }];
  if (project) {
    const holder = { kind: "project", name: project.name } as const;
    const holding = sumOf(project.members.map(({ id }) => holdingOf(id)));
    limits.push({ holder, quota: shared, holding });
  }
  const holding = sumOf([...holdings.values()]);
  limits.push({ holder: { kind: "account" }, quota: account, holding });
  return limits.filter(({ quota }) => hasLimits(quota));
}

function* memberHolder({ owner, ownerId, isCaller = false }: QuotaSubject): Tx<Holder> {
  const kind = "member";
  if (isCaller) return { kind, name: null };
  if (owner || ownerId == null) return { kind, name: owner?.name ?? null };
  return { kind, name: (yield* findMemberName(ownerId))?.name ?? ownerId };
}
