// Changes what is guaranteed to projects, which only the operator has to give.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import type { Guarantee } from "../../domain/guarantee/guarantee.ts";
import { offeredGpus } from "../../domain/placement/place.ts";
import type { Project } from "../../domain/project/project.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { allGuarantees, deleteGuarantees, saveGuarantee } from "../../store/guarantee/guarantee.ts";
import { requireOperator } from "../account/require-operator.ts";
import { emptyPlaces } from "../place/places.ts";

/** GPUs by type, in place of those that were guaranteed; 0 ends a guarantee. */
export type GuaranteeChanges = Readonly<Record<string, number>>;

/** What the operator sets of a project. */
export interface ProjectTerms {
  guaranteedGpus?: GuaranteeChanges | undefined;
  weight?: number | undefined;
}

export interface GuaranteeRules {
  catalog: Catalog;
  /** Machines that reported since this instant count. */
  since: number;
  now: number;
}

/** Terms stand against those of other accounts, so that no account sets its own. */
export function* requireTerms(
  accountId: string,
  { guaranteedGpus, weight }: ProjectTerms,
): Tx<Fault | null> {
  if (guaranteedGpus === undefined && weight === undefined) return null;
  if ((yield* requireOperator(accountId)) === null) return null;
  const field = guaranteedGpus === undefined ? "weight" : "guaranteedGpus";
  const detail = `Only the operator of this service sets "${field}" of a project. Ask the operator to set it for your account, or leave it out.`;
  return new Fault("forbidden", { detail });
}

export const guaranteesFrom = (
  { id: projectId, accountId }: Pick<Project, "id" | "accountId">,
  changes: GuaranteeChanges,
): Guarantee[] =>
  Object.entries(changes).map(([gpuTypeId, gpuCount]) => {
    return { accountId, projectId, gpuTypeId, gpuCount };
  });

/** All guarantees of a type are together at most what the machines offer, unless a machine is lost later. */
export function* requireGuaranteesOffered(
  guarantees: readonly Guarantee[],
  { since, now }: GuaranteeRules,
): Tx<Fault | null> {
  if (guarantees.length === 0) return null;
  const all = yield* allGuarantees();
  const places = yield* emptyPlaces(since, now);
  for (const [type, desired] of Map.groupBy(guarantees, ({ gpuTypeId }) => gpuTypeId)) {
    const isChanged = ({ projectId }: Guarantee) =>
      desired.some((each) => each.projectId === projectId);
    const { changed = [], others = [] } = Object.groupBy(
      all.filter((each) => each.gpuTypeId === type),
      (each) => (isChanged(each) ? "changed" : "others"),
    );
    const [before, gpuCount, guaranteed] = [changed, desired, others].map(countOf) as Counts;
    const total = offeredGpus(places, type);
    if (gpuCount > before && guaranteed + gpuCount > total) {
      return new Fault("guarantee_full", { gpuCount, type, guaranteed, total });
    }
  }
  return null;
}

type Counts = [before: number, gpuCount: number, guaranteed: number];

const countOf = (guarantees: readonly Guarantee[]) =>
  guarantees.reduce((sum, { gpuCount }) => sum + gpuCount, 0);

/** What runs stays, also where others hold what is guaranteed. */
export function* changeGuarantees(guarantees: readonly Guarantee[]): Tx<void> {
  for (const guarantee of guarantees) {
    if (guarantee.gpuCount > 0) yield* saveGuarantee(guarantee);
    else yield* deleteGuarantees(guarantee, guarantee.gpuTypeId);
  }
}
