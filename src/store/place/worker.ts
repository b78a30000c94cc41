// Where a new worker goes, and what of that machine is its own.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { EndpointSpec } from "../../domain/endpoint/endpoint.ts";
import type { Placed, Placement } from "../../domain/placement/decide.ts";
import type { PlacementWish } from "../../domain/placement/wish.ts";
import { fewestWorkers } from "../../domain/worker/placement.ts";
import { workerRate } from "../../domain/worker/rate.ts";
import { workerWish } from "../../domain/worker/wish.ts";
import { liveMachines } from "../replica/replica.ts";
import type { Verb } from "../statement.ts";
import { type Given, nothingGiven } from "../worker/worker.ts";
import { placesOf, type Search } from "./places.ts";
import { decideOn, takePlace } from "./take.ts";

export interface WorkerPlace {
  machine: string;
  given: Given;
}

/** Null where no machine can have it now. */
export function* placeForWorker(
  catalog: Catalog,
  spec: EndpointSpec,
  driver: string,
  search: Search,
  now: number,
): Verb<WorkerPlace | null> {
  const places = yield* placesOf(search);
  const wish = workerWish(catalog, spec, driver, places);
  if (wish === null) {
    const there = new Set(places.map((place) => place.machine));
    const live = (yield* liveMachines(search.since)).filter((each) => there.has(each.machine));
    const machine = fewestWorkers(live, driver);
    return machine === null ? null : { machine, given: nothingGiven };
  }
  const found = yield* takePlace(wish, search, now);
  if (!("placed" in found)) return null;
  return {
    machine: found.placed.machine,
    given: givenBy(wish, found.placed, workerRate(catalog, spec, found.placed)),
  };
}

/** What would be decided for a worker now; null where any machine with the driver will do. */
export function* decideForWorker(
  catalog: Catalog,
  spec: EndpointSpec,
  driver: string,
  since: number,
): Verb<Placement | null> {
  const search = { since, machine: null, except: null };
  const wish = workerWish(catalog, spec, driver, yield* placesOf(search));
  return wish === null ? null : yield* decideOn(wish, search);
}

function givenBy({ compute, diskGb }: PlacementWish, placed: Placed, rate: number): Given {
  const { gpuTypeId, gpuIndices: gpus, virtual } = placed;
  if (virtual) return { ...nothingGiven, gpuTypeId, gpus, virtual, rate };
  const { vcpus, memoryMb } = compute;
  return { gpuTypeId, gpus, virtual, vcpus, memoryMb, diskGb, rate };
}
