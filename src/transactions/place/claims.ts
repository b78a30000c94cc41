// Reservations as claims, and what fills them.

import type { Project } from "../../domain/project/project.ts";
import {
  type Asker,
  type Claim,
  type HeldOfType,
  type Reservation,
  type Unfilled,
  unfilledOf,
} from "../../domain/reservation/reservation.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { type SpotTenant, spotPods } from "../../store/pod/resources.ts";
import { findProject } from "../../store/project/project.ts";
import { lastingHoldingsOf } from "../../store/quota/holdings.ts";
import { activeReservations } from "../../store/reservation/reservation.ts";

export function* reservationClaims(reservations: readonly Reservation[]): Tx<Claim[]> {
  const projects = new Map<string, Project | undefined>();
  for (const { projectId, accountId } of reservations) {
    if (projectId === null || projects.has(projectId)) continue;
    projects.set(projectId, yield* findProject(projectId, accountId));
  }
  return reservations.map((each) => claimOf(each, projects.get(each.projectId ?? "")));
}

function claimOf({ owner, ...reservation }: Reservation, project: Project | undefined): Claim {
  const { projectId } = reservation;
  if (projectId !== null) {
    const members = new Set(project?.members.map(({ id }) => id));
    return { ...reservation, members, holder: `project ${project?.name ?? projectId}` };
  }
  if (owner) return { ...reservation, members: new Set([owner.id]), holder: owner.name };
  return { ...reservation, members: null, holder: "the account" };
}

/** What accounts hold of GPU types on demand: spot Pods borrow, and fill nothing. */
export type HeldBy = (accountId: string, gpuTypeId: string) => HeldOfType;

/** Spot Pods are read before: one that ends meanwhile counts as lent. */
export function* heldByAccounts(
  of: readonly { accountId: string }[],
  spot: readonly SpotTenant[],
): Tx<HeldBy> {
  const held = new Map<string, Map<string | null, Readonly<Record<string, number>>>>();
  for (const accountId of new Set(of.map((each) => each.accountId))) {
    const entries = [...(yield* lastingHoldingsOf(accountId))];
    held.set(accountId, new Map(entries.map(([id, { gpuTypes }]) => [id, gpuTypes])));
  }
  const lent = lentGpus(spot);
  return (accountId, gpuTypeId) =>
    new Map(
      [...(held.get(accountId) ?? [])].map(([ownerId, gpuTypes]) => {
        const onDemand = (gpuTypes[gpuTypeId] ?? 0) - lent({ accountId, ownerId, gpuTypeId });
        return [ownerId, Math.max(0, onDemand)];
      }),
    );
}

type SpotHolder = Pick<SpotTenant, "accountId" | "ownerId" | "gpuTypeId">;

/** How many GPUs of a type the spot Pods of a member hold. They are counted once: callers ask for each claim and member. */
function lentGpus(spot: readonly SpotTenant[]): (holder: SpotHolder) => number {
  const keyOf = ({ accountId, ownerId, gpuTypeId }: SpotHolder) =>
    JSON.stringify([accountId, ownerId, gpuTypeId]);
  const counts = new Map<string, number>();
  for (const tenant of spot) {
    const key = keyOf(tenant);
    counts.set(key, (counts.get(key) ?? 0) + tenant.gpus.length);
  }
  return (holder) => counts.get(keyOf(holder)) ?? 0;
}

/** What is reserved for a caller at an instant and not in use. */
export function* readUnfilled(at: number): Tx<(asker: Asker) => Unfilled[]> {
  const active = yield* activeReservations(at);
  if (active.length === 0) return () => [];
  const claims = yield* reservationClaims(active);
  const heldBy = yield* heldByAccounts(active, yield* spotPods(null));
  return (asker) => unfilledOf(asker, claims, heldBy).filter(({ isOwn }) => isOwn);
}
