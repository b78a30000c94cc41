// Changes the quota of a whole account, and what the operator sets of its projects.

import { Fault } from "../../domain/fault.ts";
import type { QuotaChanges } from "../../domain/quota/quota.ts";
import { findManaged, holdAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockPlacement } from "../../store/price-book/lock.ts";
import { findProject, saveWeight } from "../../store/project/project.ts";
import { requireOperator } from "../account/require-operator.ts";
import { changeQuota } from "../quota/save.ts";
import {
  changeGuarantees,
  type GuaranteeRules,
  guaranteesFrom,
  type ProjectTerms,
  requireGuaranteesOffered,
} from "./guarantee.ts";

export interface AccountQuotaChanges {
  limits: QuotaChanges;
  /** The terms of projects, by project id. */
  projects: Readonly<Record<string, ProjectTerms>>;
}

/** Saves an account's quota and the terms of its projects, by the operator. */
export function* saveAccountQuota(
  by: string,
  accountId: string,
  { limits, projects }: AccountQuotaChanges,
  rules: GuaranteeRules,
): Tx<Fault | null> {
  const refusal = yield* requireOperator(by);
  if (refusal) return refusal;
  if (!(yield* findManaged(accountId))) return new Fault("account_not_found", { id: accountId });
  const terms = Object.entries(projects);
  const guarantees = terms.flatMap(([projectId, { guaranteedGpus = {} }]) =>
    guaranteesFrom({ id: projectId, accountId }, guaranteedGpus),
  );
  if (guarantees.length > 0) yield* lockPlacement(rules.catalog);
  yield* holdAccount(accountId);
  for (const [id] of terms) {
    if (!(yield* findProject(id, accountId))) return new Fault("project_not_found", { id });
  }
  const full = yield* requireGuaranteesOffered(guarantees, rules);
  if (full) return full;
  yield* changeQuota(accountId, { scope: "account" }, limits);
  yield* changeGuarantees(guarantees);
  for (const [id, { weight }] of terms) {
    if (weight !== undefined) yield* saveWeight({ id, accountId }, weight);
  }
  return null;
}
