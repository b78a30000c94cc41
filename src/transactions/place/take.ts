// Takes a place on a machine. A decision locks the machine and is repeated under the lock, so that
// two concurrent decisions cannot take the same place. If nothing is free, spot Pods are evicted.

import { decidePlacement, type Placement } from "../../domain/placement/decide.ts";
import { decideEviction } from "../../domain/placement/evict.ts";
import type { PlacementRequest } from "../../domain/placement/request.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { spotPods } from "../../store/pod/resources.ts";
import { lockPod } from "../../store/pod/row.ts";
import { lockMachine } from "../../store/replica/offers.ts";
import { movePod } from "../pod/move.ts";
import { placesOf, type Search } from "./places.ts";

/**
 * Decides, and locks the machine until the surrounding transaction ends. Evicted Pods have released
 * their GPUs by then; their containers may still run.
 */
export function* takePlace(request: PlacementRequest, search: Search, at: number): Tx<Placement> {
  for (;;) {
    const candidate = yield* decidePlace(request, { ...search, at });
    if (!("placed" in candidate)) return candidate;
    const { machine, evicts } = candidate.placed;
    yield* lockMachine(machine);
    const locked = yield* decidePlace(request, { ...search, machine, at });
    // Another transaction took the place; now another machine may need fewer evictions.
    if (!("placed" in locked) || locked.placed.evicts.length > evicts.length) continue;
    for (const id of locked.placed.evicts) yield* evict(id, at);
    return locked;
  }
}

/** The current decision, without taking the place. Nothing is evicted while a place is free. */
export function* decidePlace(request: PlacementRequest, search: Search): Tx<Placement> {
  const places = yield* placesOf(search);
  const placement = decidePlacement(request, places);
  if ("placed" in placement || request.spot) return placement;
  const placed = decideEviction(request, places, yield* spotPods(search.machine));
  return placed ? { placed } : placement;
}

const REASON = "it was interruptible, and an on-demand workload took its place";

/** A locked Pod refuses requests of clients, but not an eviction. */
function* evict(id: string, at: number): Tx<void> {
  const pod = yield* lockPod(id);
  if (pod) yield* movePod(pod, { event: "evict", cause: "evicted", reason: REASON, at });
}
