// Checks that what would be held stays within the quotas of the account and of the member it belongs to.

import type { EndpointSpec } from "../../domain/endpoint/endpoint.ts";
import type { Fault } from "../../domain/fault.ts";
import type { Owned } from "../../domain/member/member.ts";
import {
  type Addition,
  effectiveQuota,
  exhaustedTypes,
  type Holder,
  type Holding,
  hasLimits,
  nothingHeld,
  type Quota,
  refuseAddition,
  sumOf,
} from "../../domain/quota/quota.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findMemberName } from "../../store/member/member.ts";
import { holdingsOf } from "../../store/quota/holdings.ts";
import { quotasOf } from "../../store/quota/quota.ts";

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
  for (const { quota, holding, kind } of yield* limitsOn(subject)) {
    const holder: Holder = kind === "account" ? { kind } : { kind, name: yield* nameOf(subject) };
    const refusal = refuseAddition(holder, quota, holding, addition);
    if (refusal) return refusal;
  }
  return null;
}

/** The GPU types of which the quotas allow no further `count`. */
export function* exhaustedGpuTypes(subject: QuotaSubject, count: number): Tx<string[]> {
  if (count === 0) return [];
  const limits = yield* limitsOn(subject);
  return limits.flatMap(({ quota, holding }) => exhaustedTypes(quota, holding, count));
}

/** The GPU types of which the quotas allow no further worker of the endpoint. */
export function exhaustedForWorker(
  endpoint: QuotaSubject & { spec: Pick<EndpointSpec, "computeType" | "gpuCount"> },
): Tx<string[]> {
  const { computeType, gpuCount } = endpoint.spec;
  return exhaustedGpuTypes(endpoint, computeType === "GPU" ? gpuCount : 0);
}

interface Limit {
  kind: Holder["kind"];
  quota: Quota;
  holding: Holding;
}

/** The quotas with a limit, the member's first. Without any, nothing else is read. */
function* limitsOn({ accountId, ...subject }: QuotaSubject): Tx<Limit[]> {
  const quotas = yield* quotasOf(accountId);
  if (!quotas) return [];
  const ownerId = subject.owner?.id ?? subject.ownerId ?? null;
  const { account, members, byMember } = quotas;
  const own = ownerId === null ? {} : effectiveQuota(byMember.get(ownerId) ?? {}, members);
  if (!hasLimits(account) && !hasLimits(own)) return [];
  const holdings = yield* holdingsOf(accountId);
  const limits: Limit[] = [
    { kind: "member", quota: own, holding: holdings.get(ownerId) ?? nothingHeld },
    { kind: "account", quota: account, holding: sumOf([...holdings.values()]) },
  ];
  return limits.filter(({ quota }) => hasLimits(quota));
}

function* nameOf({ owner, ownerId, isCaller = false }: QuotaSubject): Tx<string | null> {
  if (isCaller) return null;
  if (owner || ownerId == null) return owner?.name ?? null;
  return (yield* findMemberName(ownerId))?.name ?? ownerId;
}
