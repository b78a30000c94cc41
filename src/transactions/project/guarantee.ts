// Changes what is guaranteed to a project, which only the operator's account has to give.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { PricedCatalog } from "../../domain/catalog/prices.ts";
import { Fault } from "../../domain/fault.ts";
import type { Project } from "../../domain/project/project.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { allGuarantees, deleteGuarantees, saveGuarantee } from "../../store/guarantee/guarantee.ts";
import { lockPrices } from "../../store/price-book/lock.ts";
import { lockBook } from "../../store/price-book/price-book.ts";
import { requireOperator } from "../account/require-operator.ts";
import { emptyPlaces } from "../place/places.ts";

/** GPUs by type, in place of those that were guaranteed; 0 ends a guarantee. */
export type GuaranteeChanges = Readonly<Record<string, number>>;

export interface GuaranteeRules {
  catalog: Catalog;
  /** Machines that reported since this instant count. */
  since: number;
  now: number;
}

/** Everything that places something prices it first, so that it waits until this transaction ends, as do other guarantees. */
export function* lockGuaranteeing({ catalog }: Pick<GuaranteeRules, "catalog">): Tx<void> {
  if (catalog instanceof PricedCatalog) yield* lockPrices(catalog);
  else yield* lockBook();
}

/** All guarantees of a type are together at most what the machines offer, unless a machine is lost later. */
export function* refuseGuarantees(
  { id, accountId }: Pick<Project, "id" | "accountId">,
  changes: GuaranteeChanges,
  { since, now }: GuaranteeRules,
): Tx<Fault | null> {
  const refusal = yield* requireOperator(accountId);
  if (refusal) return refusal;
  const all = yield* allGuarantees();
  const places = yield* emptyPlaces(since, now);
  for (const [gpuTypeId, gpuCount] of Object.entries(changes)) {
    const ofType = all.filter((each) => each.gpuTypeId === gpuTypeId);
    const before = ofType.find((each) => each.projectId === id)?.gpuCount ?? 0;
    const guaranteed = ofType.reduce((sum, each) => sum + each.gpuCount, -before);
    const total = places
      .flatMap(({ free }) => free.gpus.filter(({ typeId }) => typeId === gpuTypeId))
      .reduce((sum, { offered, total: all = offered }) => sum + all, 0);
    if (gpuCount > before && guaranteed + gpuCount > total) {
      return new Fault("guarantee_full", { gpuCount, type: gpuTypeId, guaranteed, total });
    }
  }
  return null;
}

/** What runs stays, also where others hold what is guaranteed. */
export function* changeGuarantees(
  { id: projectId, accountId }: Pick<Project, "id" | "accountId">,
  changes: GuaranteeChanges,
): Tx<void> {
  for (const [gpuTypeId, gpuCount] of Object.entries(changes)) {
    if (gpuCount > 0) yield* saveGuarantee({ accountId, projectId, gpuTypeId, gpuCount });
    else yield* deleteGuarantees({ accountId, projectId }, gpuTypeId);
  }
}
