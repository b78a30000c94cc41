// The taking of a place. Two who decide at the same time cannot both have it: whoever has decided
// locks the machine and looks at it once more. Where nothing is free, spot Pods give way.

import { decidePlacement, type Placement } from "../../domain/placement/decide.ts";
import { decideEviction } from "../../domain/placement/evict.ts";
import type { PlacementWish } from "../../domain/placement/wish.ts";
import { lockPod } from "../pod/row.ts";
import { movePod } from "../pod/wanted.ts";
import { row, type Verb } from "../statement.ts";
import { placesOf, type Search, tenantsOf } from "./places.ts";

/**
 * Decides, and holds the machine it decided on until the surrounding turn is committed. Who had to
 * give way has done so by then; his GPUs are free, and his container is still to end.
 */
export function* takePlace(wish: PlacementWish, search: Search, at: number): Verb<Placement> {
  for (;;) {
    const found = yield* decideOn(wish, { ...search, at });
    if (!("placed" in found)) return found;
    const { machine, evicts } = found.placed;
    yield* row("select 1 from replica where machine = ? /*+ for update */", machine);
    const sure = yield* decideOn(wish, { ...search, machine, at });
    // Somebody was quicker; now another machine may be the one where fewer give way.
    if (!("placed" in sure) || sure.placed.evicts.length > evicts.length) continue;
    for (const id of sure.placed.evicts) yield* evict(id, at);
    return sure;
  }
}

/** What would be decided now; nobody gives way as long as something is free. */
export function* decideOn(wish: PlacementWish, search: Search): Verb<Placement> {
  const places = yield* placesOf(search);
  const found = decidePlacement(wish, places);
  if ("placed" in found || wish.spot) return found;
  const placed = decideEviction(wish, places, yield* tenantsOf(search.machine));
  return placed ? { placed } : found;
}

const REASON = "it was interruptible, and what runs on demand took its place";

/** A lock holds against users, not against this. */
function* evict(id: string, at: number): Verb<void> {
  const pod = yield* lockPod(id);
  if (pod) yield* movePod(pod, { event: "evict", cause: "evicted", reason: REASON, at });
}
