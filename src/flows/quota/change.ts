// Changing quotas: of members by an admin of their account, of an account by the operator.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { idsOf } from "../../domain/catalog/catalog.ts";
import { unknownNames } from "../../domain/catalog/unknown-names.ts";
import { Fault } from "../../domain/fault.ts";
import type { QuotaChanges } from "../../domain/quota/quota.ts";
import {
  type AccountQuotaChanges,
  saveAccountQuota,
} from "../../transactions/project/account-quota.ts";
import type { GuaranteeRules } from "../../transactions/project/guarantee.ts";
import { saveMemberQuota } from "../../transactions/quota/save.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { type AccountQuotaUse, managedQuotaUse, type QuotaReadDeps, quotaUseOf } from "./read.ts";

interface QuotaDeps extends QuotaReadDeps {
  catalog: Catalog;
}

/** Changes the quota of one member, or without an id that of each member by default. */
export async function changeMemberQuota(
  deps: QuotaDeps,
  accountId: string,
  memberId: string | null,
  changes: QuotaChanges,
): Promise<AccountQuotaUse> {
  requireGpuTypes(deps.catalog, changes);
  await throwRefusal(deps.store.write(saveMemberQuota, accountId, memberId, changes));
  return quotaUseOf(deps, accountId);
}

export async function changeAccountQuota(
  deps: QuotaDeps,
  by: string,
  accountId: string,
  changes: AccountQuotaChanges,
): Promise<AccountQuotaUse> {
  const { catalog, clock } = deps;
  requireGpuTypes(catalog, changes.limits);
  for (const { guaranteedGpus = {} } of Object.values(changes.projects)) {
    requireGuaranteed(catalog, guaranteedGpus);
  }
  const rules = guaranteeRules(deps, clock.now());
  await throwRefusal(deps.store.write(saveAccountQuota, by, accountId, changes, rules));
  return managedQuotaUse(deps, by, accountId);
}

export function guaranteeRules(
  { catalog, heartbeatTiming }: Pick<QuotaDeps, "catalog" | "heartbeatTiming">,
  now: number,
): GuaranteeRules {
  return { catalog, since: now - heartbeatTiming.goneMs, now };
}

/** What is guaranteed of a type that left the catalog can be ended. */
export function requireGuaranteed(catalog: Catalog, counts: Readonly<Record<string, number>>) {
  const added = Object.entries(counts).filter(([, count]) => count > 0);
  requireGpuTypes(catalog, { gpuTypes: Object.fromEntries(added) }, "guaranteedGpus");
}

/** A limit on a type that is misspelled would limit nothing. What is set for one that left the catalog can be removed. */
export function requireGpuTypes(
  { gpuTypes }: Catalog,
  { gpuTypes: limits = {} }: QuotaChanges,
  field = "gpuTypes",
): void {
  const limited = Object.entries(limits).flatMap(([id, limit]) =>
    limit !== undefined ? [id] : [],
  );
  const [detail] = unknownNames(field, limited, idsOf(gpuTypes), "a GPU type");
  if (detail !== undefined) throw new Fault("invalid_body", { detail });
}
