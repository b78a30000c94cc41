// Limits and holdings between the wire, with dollars, and the domain, with micro-dollars.

import { HOUR_MS } from "../../../base/units.ts";
import type {
  AccountQuotaUpdate,
  QuotaLimits,
  QuotaUpdate,
  QuotaUsed,
} from "../../../contract/rest-v1/account/quota.ts";
import type { GuaranteeUse } from "../../../domain/guarantee/guarantee.ts";
import type {
  QuotaChanges,
  QuotaHolding,
  Quota as StoredQuota,
} from "../../../domain/quota/quota.ts";
import type { QuotaUse, ShareUse } from "../../../flows/quota/read.ts";
import { dollars } from "../../management/billing/dollars.ts";
import type { Whole } from "../../management/serve/take-fields.ts";

const MICROS_PER_DOLLAR = 1_000_000;

/** "default" removes what is set. */
export function changesOf({ costPerHr, gpuTypes = {}, ...counts }: QuotaUpdate): QuotaChanges {
  counts satisfies Whole<typeof counts, QuotaChanges>;
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
export function standardChanges({ gpuTypes = {}, ...limits }: QuotaUpdate): QuotaChanges {
  const unset = <Limits extends object>(all: Limits): Limits => {
    const entries = Object.entries(all).map(([name, limit]) => [name, limit ?? "default"]);
    return Object.fromEntries(entries);
  };
  return changesOf({ ...unset(limits), gpuTypes: unset(gpuTypes) });
}

/** What an account may reserve is limited unless the operator sets that it is not. */
export function accountChanges({ projects = {}, ...body }: AccountQuotaUpdate) {
  const changes = standardChanges(body);
  const limits = body.reservedGpus === null ? { ...changes, reservedGpus: null } : changes;
  return { limits, projects };
}

export function useRead({ holding, quota, over }: QuotaUse) {
  return { used: usedRead(holding), limits: limitsRead(quota), over };
}

export function guaranteesRead(guarantees: readonly GuaranteeUse[]) {
  const entries = guarantees.map(({ gpuTypeId, gpuCount, used, free, lent, short }) => {
    return [gpuTypeId, { count: gpuCount, used, free, lent, short }] as const;
  });
  return entries.length > 0 ? { guaranteedGpus: Object.fromEntries(entries) } : {};
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));

export function shareRead({ weight, gpuMs, part }: ShareUse) {
  return { weight, gpuHours: round(gpuMs / HOUR_MS, 3), part: round(part, 4) };
}

export function usedRead({ rate, ...counts }: QuotaHolding): QuotaUsed {
  return { ...counts, costPerHr: dollars(rate) };
}

export function limitsRead({ rate, gpuTypes = {}, ...counts }: StoredQuota): QuotaLimits {
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
