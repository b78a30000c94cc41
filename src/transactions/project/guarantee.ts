// Changes what is guaranteed to a project, which only the operator's account has to give.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import { offeredGpus } from "../../domain/placement/place.ts";
import type { Project } from "../../domain/project/project.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { allGuarantees, deleteGuarantees, saveGuarantee } from "../../store/guarantee/guarantee.ts";
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

/** All guarantees of a type are together at most what the machines offer, unless a machine is lost later. */
export function* requireGuaranteesOffered(
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
    const total = offeredGpus(places, gpuTypeId);
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
