// Takes a place on a machine. A decision locks the machine and is repeated under the lock, so that
// two concurrent decisions cannot take the same place. If nothing is free, spot Pods have to leave it:
// the caller evicts them once nothing else refuses the request.

import type { PassedOver } from "../../domain/fault.ts";
import { withRoomFor } from "../../domain/guarantee/within-bounds.ts";
import { driverOfRemote } from "../../domain/machine/remote.ts";
import { decidePlacement, type Placed, type Placement } from "../../domain/placement/decide.ts";
import { driverOn } from "../../domain/placement/driver-on.ts";
import { decideEviction } from "../../domain/placement/evict.ts";
import type { PlacementRequest } from "../../domain/placement/request.ts";
import { type Tx, together } from "../../store/engine/statement.ts";
import { lockGuarantees } from "../../store/guarantee/guarantee.ts";
import { spotPods } from "../../store/pod/resources.ts";
import { lockPod } from "../../store/pod/row.ts";
import { remoteMachines } from "../../store/remote-machine/remote-machine.ts";
import { lockMachine } from "../../store/replica/offers.ts";
import { liveMachines } from "../../store/replica/replica.ts";
import { lockActiveReservations } from "../../store/reservation/reservation.ts";
import { movePod } from "../pod/move.ts";
import type { Search } from "./places.ts";
import { placesFor, type SearchFor } from "./reserved.ts";

/** Decides, and locks the machine until the surrounding transaction ends. */
export function* takePlace(
  request: PlacementRequest,
  search: Omit<SearchFor, "at">,
  at: number,
): Tx<Placement> {
  if (request.compute.kind === "GPU") {
    yield* together([lockActiveReservations(at), lockGuarantees(request.compute.typeIds)]);
  }
  for (;;) {
    const candidate = yield* decidePlace(request, { ...search, at });
    if (!("placed" in candidate)) return candidate;
    const { machine, evicts } = candidate.placed;
    yield* lockMachine(machine);
    const locked = yield* decidePlace(request, { ...search, machine, at });
    // Another transaction took the place; now another machine may need fewer evictions.
    if (!("placed" in locked) || locked.placed.evicts.length > evicts.length) continue;
    return locked;
  }
}

/** The current decision, without taking the place. Nothing is evicted while a place is free. */
export function* decidePlace(request: PlacementRequest, search: SearchFor): Tx<Placement> {
  const { spot, compute } = request;
  const gpuCount = compute.kind === "GPU" && !spot ? compute.count : null;
  const places = yield* placesFor(search, { spot, gpuCount });
  const placement = decidePlacement(request, places);
  if ("placed" in placement) return placement;
  const open = compute.kind === "GPU" ? withRoomFor(places, compute.count) : places;
  const placed = spot ? null : decideEviction(request, open, yield* spotPods(search.machine));
  if (placed) return { placed };
  return { passedOver: [...(yield* offlineRemotes(request, search)), ...placement.passedOver] };
}

const REASON = "it was interruptible, and an on-demand workload took its place";

/** The Pods have released their GPUs after this; their containers may still run. */
export function* evictFrom({ evicts }: Pick<Placed, "evicts">, at: number): Tx<void> {
  for (const id of evicts) yield* evict(id, at);
}

/** A locked Pod refuses requests of clients, but not an eviction. */
function* evict(id: string, at: number): Tx<void> {
  const pod = yield* lockPod(id);
  if (pod) yield* movePod(pod, { event: "evict", cause: "evicted", reason: REASON, at });
}

/** The machines and clusters that could run a workload and are offline: a refusal names them. */
function* offlineRemotes(
  { driver }: Pick<PlacementRequest, "driver">,
  { since, machine }: Search,
): Tx<PassedOver[]> {
  if (machine !== null) return [];
  const remotes = (yield* remoteMachines()).filter(
    (remote) => driverOn([driverOfRemote(remote)], driver) !== null,
  );
  if (remotes.length === 0) return [];
  const live = (yield* liveMachines(since)).map((each) => each.machine);
  return remotes
    .filter(({ id }) => !live.some((each) => each === id || each.startsWith(`${id}-`)))
    .map(({ id, name }) => ({ machine: name || id, reason: "it is offline" }));
}
