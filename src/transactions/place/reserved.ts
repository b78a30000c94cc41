// The free GPUs of machines without those that are reserved for others.

import type { Place } from "../../domain/placement/place.ts";
import { keepFree } from "../../domain/reservation/keep-free.ts";
import {
  type Asker,
  type Claim,
  type HeldOfType,
  type Reservation,
  withheldFrom,
} from "../../domain/reservation/reservation.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findProject } from "../../store/project/project.ts";
import { holdingsOf } from "../../store/quota/holdings.ts";
import { activeReservations } from "../../store/reservation/reservation.ts";
import { placesOf, type Search } from "./places.ts";

/** A search for a caller, who may take what is reserved for that caller. */
export interface SearchFor extends Search {
  asker: Asker;
  at: number;
}

export const askerOf = (subject: {
  accountId: string;
  owner?: { id: string } | undefined;
  ownerId?: string | null;
}): Asker => ({
  accountId: subject.accountId,
  memberId: subject.owner?.id ?? subject.ownerId ?? null,
});

/** `inAll` shares what is left among the places; otherwise each has it all. */
export function* placesFor(
  search: SearchFor,
  { inAll = false }: { inAll?: boolean } = {},
): Tx<Place[]> {
  const places = yield* placesOf(search);
  const active = yield* activeReservations(search.at);
  if (active.length === 0) return places;
  const { since, except, at, asker } = search;
  const everywhere = yield* placesOf({ since, except, at, machine: null });
  // Read after what is free: a GPU that is released in between counts as reserved again, not as free.
  const claims: Claim[] = [];
  for (const each of active) claims.push(yield* claimOf(each));
  const heldBy = yield* heldByAccounts(new Set(active.map(({ accountId }) => accountId)));
  return keepFree(places, withheldFrom(asker, claims, heldBy), everywhere, { inAll });
}

export function* claimOf({ projectId, owner, ...reservation }: Reservation): Tx<Claim> {
  if (projectId !== null) {
    const project = yield* findProject(projectId, reservation.accountId);
    const members = new Set(project?.members.map(({ id }) => id));
    return { ...reservation, members, holder: `project ${project?.name ?? projectId}` };
  }
  if (owner) return { ...reservation, members: new Set([owner.id]), holder: owner.name };
  return { ...reservation, members: null, holder: "the account" };
}

export function* heldByAccounts(accountIds: ReadonlySet<string>) {
  const held = new Map<string, Map<string | null, Readonly<Record<string, number>>>>();
  for (const accountId of accountIds) {
    const entries = [...(yield* holdingsOf(accountId))];
    held.set(accountId, new Map(entries.map(([id, { gpuTypes }]) => [id, gpuTypes])));
  }
  return (accountId: string, gpuTypeId: string): HeldOfType => {
    const its = [...(held.get(accountId) ?? [])];
    return new Map(its.map(([id, gpuTypes]) => [id, gpuTypes[gpuTypeId] ?? 0]));
  };
}
