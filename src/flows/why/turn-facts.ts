// The endpoints that get free places before one that finds no room, in the order in which the autoscale loop starts workers.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { decideFleet } from "../../domain/endpoint/fleet-plan.ts";
import { decidePlacement } from "../../domain/placement/decide.ts";
import {
  aheadInTurn,
  type Contender,
  dominantResource,
  dominantShare,
} from "../../domain/placement/fair-share.ts";
import type { Place } from "../../domain/placement/place.ts";
import type { TurnFacts } from "../../domain/why/facts.ts";
import { workerRequest } from "../../domain/worker/placement-request.ts";
import { endpointsToManage, findRelease } from "../../store/endpoint/endpoint.ts";
import { emptyPlaces } from "../../transactions/place/places.ts";
import { readStanding } from "../../transactions/place/shares.ts";
import { readFleet } from "../endpoint/fleet.ts";
import type { WhyDeps } from "./collect-facts.ts";

/** Null if the endpoint has no turn: no machine could run its worker even if it were free. */
export async function turnFacts(
  deps: WhyDeps,
  endpoint: Endpoint,
  oldestWaitingMs: number | null,
  now: number,
): Promise<TurnFacts | null> {
  const { store, heartbeatTiming } = deps;
  const since = now - heartbeatTiming.goneMs;
  const places = await placesFor(deps, endpoint, await store.read(emptyPlaces, since, now));
  if (places.length === 0) return null;
  const endpoints = await store.read(endpointsToManage);
  const accountOf = new Map(endpoints.map(({ id, accountId }) => [id, accountId]));
  const { heldBy, total } = await store.read(readStanding, since, (id) => accountOf.get(id));
  const contenders = await contendersFor(deps, places, endpoints, now);
  const ahead = aheadInTurn(contenderOf(endpoint, oldestWaitingMs, now), contenders, (accountId) =>
    dominantShare(heldBy(accountId), total),
  ).filter(({ endpointId }) => endpointId !== endpoint.id);
  const own = ahead.filter(({ accountId }) => accountId === endpoint.accountId);
  return {
    share: dominantResource(heldBy(endpoint.accountId), total),
    ownAhead: own.map(({ endpointId }) => endpointId),
    othersAhead: ahead.length - own.length,
  };
}

/** The endpoints that lack a worker which one of these machines could run. */
async function contendersFor(deps: WhyDeps, places: Place[], endpoints: Endpoint[], now: number) {
  const contenders: Contender[] = [];
  for (const each of endpoints) {
    const { fleet } = await deps.store.read(readFleet, each, now);
    const { start, reason } = decideFleet(fleet);
    if (start === 0 || (await placesFor(deps, each, places)).length === 0) continue;
    contenders.push(contenderOf(each, reason.facts.oldestWaitingMs, now));
  }
  return contenders;
}

/** The machines among these that can run a worker of the endpoint. */
async function placesFor(deps: WhyDeps, endpoint: Endpoint, places: Place[]): Promise<Place[]> {
  const { id, version, spec } = endpoint;
  if (deps.troubles?.concerns("all-throttled", id)) return [];
  const release = await deps.store.read(findRelease, id, version);
  const driver = release && deps.driverOfRelease(release.workload);
  const request = driver ? workerRequest(deps.catalog, spec, driver, places) : null;
  if (request === null) return [];
  return places.filter((place) => "placed" in decidePlacement(request, [place]));
}

function contenderOf({ id, accountId }: Endpoint, oldestWaitingMs: number | null, now: number) {
  const waitingSince = oldestWaitingMs === null ? null : now - oldestWaitingMs;
  return { accountId, endpointId: id, waitingSince };
}
