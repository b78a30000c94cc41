// The hand-over decision: the workers to drain for an account that holds less of the machines, if nothing is free. Pure.

import { decideEviction, type Tenant } from "./evict.ts";
import { addHeld, dominantShare, type Held, heldByWorker, nothingHeld } from "./fair-share.ts";
import type { Place } from "./place.ts";
import { gpusOf, type PlacementRequest } from "./request.ts";

/** A worker that holds a part of a machine. */
export interface Holding extends Tenant {
  accountId: string;
  /** `leaving` drains or ends already; `kept` is one of the workersMin of its endpoint. */
  state: "leaving" | "idle" | "busy" | "kept";
}

/** The machines, and the workers that hold parts of them. */
export interface Occupancy {
  places: readonly Place[];
  holdings: readonly Holding[];
}

export interface HeldResources {
  /** What all machines have. */
  total: Held;
  heldBy(accountId: string): Held;
}

/** After this long, a worker may also be handed over where that leaves its account with less than the other. */
export const SLICE_MS = 300_000;

/**
 * The ids of the workers to drain: idle ones if they are enough, and none if a worker that leaves already makes room. An
 * account gives as long as it then holds no less than the one that receives. Where places are too few or too large to
 * divide so, an account that holds as much as the other would gives those that it has held for a slice of time.
 */
export function decideHandOver(
  { accountId, request }: { accountId: string; request: PlacementRequest },
  { places, holdings }: Occupancy,
  shares: HeldResources,
  now: number,
): string[] {
  const leaving = holdings.filter(({ state }) => state === "leaving");
  const share = dominantShare(addHeld(shares.heldBy(accountId), needOf(request)), shares.total);
  const mayGive = (workers: readonly Holding[]) =>
    shareOf(workers, "without", shares) >= share ||
    (workers.every(({ since }) => now - since >= SLICE_MS) &&
      shareOf(workers, "with", shares) >= share);
  const givers = holdings.filter((each) => each.accountId !== accountId && mayGive([each]));
  const idle = givers.filter(({ state }) => state === "idle");
  const all = givers.filter(({ state }) => state === "idle" || state === "busy");
  for (const some of [[], idle, all]) {
    const placed = decideEviction(request, places, [...leaving, ...some]);
    if (!placed) continue;
    const victims = some.filter(({ id }) => placed.evicts.includes(id));
    const byAccount = [...Map.groupBy(victims, (victim) => victim.accountId).values()];
    return byAccount.every(mayGive) ? victims.map(({ id }) => id) : [];
  }
  return [];
}

function needOf({ compute }: PlacementRequest): Held {
  const { vcpus, memoryMb } = compute;
  return { gpus: compute.kind === "GPU" ? gpusOf(compute) : 0, vcpus, memoryMb };
}

/** The share of the account of these workers, with or without them. */
function shareOf(
  workers: readonly Holding[],
  counted: "with" | "without",
  { total, heldBy }: HeldResources,
): number {
  const held = heldBy(workers[0]!.accountId);
  if (counted === "with") return dominantShare(held, total);
  const released = workers.map(heldByWorker).reduce(addHeld, nothingHeld);
  const left = {
    gpus: held.gpus - released.gpus,
    vcpus: held.vcpus - released.vcpus,
    memoryMb: held.memoryMb - released.memoryMb,
  };
  return dominantShare(left, total);
}
