// Drains workers of accounts that hold more of the machines, for an endpoint whose worker finds no room.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { Fleet } from "../../domain/endpoint/fleet.ts";
import { fillingOf } from "../../domain/guarantee/guarantee.ts";
import { decideHandOver, type Holding } from "../../domain/placement/hand-over.ts";
import { fillingFor } from "../../domain/reservation/filling.ts";
import type { Asker } from "../../domain/reservation/reservation.ts";
import { workerRequest } from "../../domain/worker/placement-request.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { spotPods } from "../../store/pod/resources.ts";
import { activeReservations } from "../../store/reservation/reservation.ts";
import type { PlacedWorker } from "../../store/worker/resources.ts";
import { requestWorkerEnd } from "../worker/request-end.ts";
import { heldByAccounts, reservationClaims } from "./claims.ts";
import { readClaimed } from "./guaranteed.ts";
import { withoutGpuTypes } from "./places.ts";
import { placesFor, type SearchFor } from "./reserved.ts";
import { readStanding } from "./shares.ts";

/** An endpoint with its fleet, as the pass that asks has read them. */
export interface EndpointFleet {
  endpoint: Endpoint;
  fleet: Fleet;
}

const HANDED_OVER = "another account, which holds less of the machines, waits for its place";

/** Returns how many workers were asked to drain. */
export function* handOver(
  catalog: Catalog,
  { endpoint, driver }: { endpoint: Endpoint; driver: string },
  search: SearchFor,
  fleets: ReadonlyMap<string, EndpointFleet>,
): Tx<number> {
  const { exceptGpuTypes = [], at: now } = search;
  // Whether the machines have GPUs does not depend on the types that a search leaves out.
  const all = yield* placesFor({ ...search, exceptGpuTypes: [] });
  const places = all.map((place) => withoutGpuTypes(place, exceptGpuTypes));
  const request = workerRequest(catalog, endpoint.spec, driver, all);
  if (request === null) return 0;
  const accountOf = (endpointId: string) => fleets.get(endpointId)?.endpoint.accountId;
  const standing = yield* readStanding(search.since, accountOf);
  const isKept = yield* readKept(search.asker, now);
  const holdings = holdingsOf(standing.workers, fleets, isKept);
  const receiver = { accountId: endpoint.accountId, request };
  const ids = decideHandOver(receiver, { places, holdings }, standing, now);
  for (const id of ids) yield* requestWorkerEnd(id, "drain", HANDED_OVER, now);
  return ids.length;
}

/** Whether the receiver would not get a worker's GPUs, because they fill what is reserved or guaranteed. */
type IsKept = (owner: Asker, worker: Pick<PlacedWorker, "gpuTypeId" | "gpus">) => boolean;

function* readKept(asker: Asker, now: number): Tx<IsKept> {
  const isGuaranteed = fillingOf(yield* readClaimed(now));
  const reserved = yield* reservationClaims(yield* activeReservations(now));
  const spot = reserved.length === 0 ? [] : yield* spotPods(null);
  const isReserved = fillingFor(asker, reserved, yield* heldByAccounts(reserved, spot));
  return (owner, { gpuTypeId, gpus }) =>
    gpuTypeId !== null &&
    (isReserved(owner, gpuTypeId, gpus.length) ||
      isGuaranteed(owner.memberId, gpuTypeId, gpus.length));
}

function holdingsOf(
  workers: readonly PlacedWorker[],
  fleets: ReadonlyMap<string, EndpointFleet>,
  isKept: IsKept,
): Holding[] {
  const byEndpoint = Map.groupBy(workers, ({ endpointId }) => endpointId);
  return [...byEndpoint].flatMap(([endpointId, its]) => {
    const known = fleets.get(endpointId);
    return known ? holdingsOfEndpoint(known, its, isKept) : [];
  });
}

/** The oldest workers are those that workersMin keeps. */
function holdingsOfEndpoint(
  { endpoint, fleet }: EndpointFleet,
  its: PlacedWorker[],
  isKept: IsKept,
): Holding[] {
  const { accountId, owner } = endpoint;
  const phases = new Map(fleet.workers.map(({ id, state }) => [id, state]));
  const isLeaving = ({ id, desired }: PlacedWorker) =>
    desired !== "run" || phases.get(id) === "unhealthy";
  const staying = its.filter((worker) => !isLeaving(worker)).sort((a, b) => a.since - b.since);
  const stateOf = (worker: PlacedWorker, n: number): Holding["state"] => {
    const phase = phases.get(worker.id);
    // A worker that this pass has started is not in the fleet that it read.
    if (n < fleet.policy.workersMin || phase === undefined) return "kept";
    if (isKept({ accountId, memberId: owner?.id ?? null }, worker)) return "kept";
    return phase === "idle" ? "idle" : "busy";
  };
  return [
    ...its.filter(isLeaving).map((worker) => ({ ...worker, accountId, state: "leaving" as const })),
    // The newest go first, so that the older ones fill what is reserved.
    ...[...staying.entries()]
      .toReversed()
      .map(([n, worker]) => ({ ...worker, accountId, state: stateOf(worker, n) })),
  ];
}
