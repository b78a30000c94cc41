// Places a new worker on a machine.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { EndpointSpec } from "../../domain/endpoint/endpoint.ts";
import {
  canHaveModels,
  missingModels,
  modelNames,
  NO_MODEL_CACHE,
} from "../../domain/model/presence.ts";
import type { Placed, Placement } from "../../domain/placement/decide.ts";
import { driverOn } from "../../domain/placement/driver-on.ts";
import type { Place } from "../../domain/placement/place.ts";
import type { PlacementRequest } from "../../domain/placement/request.ts";
import { fewestWorkers } from "../../domain/worker/placement.ts";
import { workerRequest } from "../../domain/worker/placement-request.ts";
import { workerRate } from "../../domain/worker/rate.ts";
import { type Allocation, noAllocation } from "../../domain/worker/worker.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { liveMachines } from "../../store/replica/replica.ts";
import { placesOf } from "./places.ts";
import type { SearchFor } from "./reserved.ts";
import { decidePlace, takePlace } from "./take.ts";

export interface WorkerPlace {
  machine: string;
  driver: string;
  allocation: Allocation;
  /** Pods that have to leave the place. */
  evicts: string[];
}

/** Null if no machine can take it now. */
export function* placeForWorker(
  catalog: Catalog,
  spec: EndpointSpec,
  driver: string,
  search: SearchFor,
): Tx<WorkerPlace | null> {
  // Whether the machines have GPUs does not depend on the types that a search leaves out.
  const places = yield* placesOf({ ...search, exceptGpuTypes: [] });
  const request = workerRequest(catalog, spec, driver, places);
  if (request === null) {
    const place = yield* leastLoaded(spec, driver, places, search.since);
    return place && { ...place, allocation: noAllocation, evicts: [] };
  }
  const found = yield* takePlace(request, search, search.at);
  if (!("placed" in found)) return null;
  return {
    machine: found.placed.machine,
    driver: found.placed.driver,
    evicts: found.placed.evicts,
    allocation: allocationOf(request, found.placed, workerRate(catalog, spec, found.placed)),
  };
}

/** The machine for a worker that needs nothing but the driver and its models; null if there is none. */
function* leastLoaded(
  spec: EndpointSpec,
  driver: string,
  places: readonly Place[],
  since: number,
): Tx<{ machine: string; driver: string } | null> {
  const models = modelNames(spec.modelReferences);
  const able = places.filter((each) => models.length === 0 || canHaveModels(each.inventory));
  const missing = new Map(
    able.map(({ machine, inventory }) => [machine, missingModels(models, inventory)]),
  );
  const live = (yield* liveMachines(since)).filter(({ machine }) => missing.has(machine));
  return fewestWorkers(live, driver, (machine) => missing.get(machine)!);
}

/** The current decision for a worker, without placing it; null if it can be placed and needs nothing but the driver. */
export function* decideForWorker(
  catalog: Catalog,
  spec: EndpointSpec,
  driver: string,
  search: SearchFor,
): Tx<Placement | null> {
  const { since } = search;
  const places = yield* placesOf({ ...search, exceptGpuTypes: [] });
  const request = workerRequest(catalog, spec, driver, places);
  if (request !== null) return yield* decidePlace(request, search);
  if (yield* leastLoaded(spec, driver, places, since)) return null;
  const reasonOf = ({ drivers }: Place) =>
    driverOn(drivers, driver) === null ? `it has no driver "${driver}"` : NO_MODEL_CACHE;
  return { passedOver: places.map((each) => ({ machine: each.machine, reason: reasonOf(each) })) };
}

function allocationOf(
  { compute, diskGb }: PlacementRequest,
  placed: Placed,
  rate: number,
): Allocation {
  const { gpuTypeId, gpuIndices: gpus, virtual } = placed;
  if (virtual) return { ...noAllocation, gpuTypeId, gpus, virtual, rate };
  const { vcpus, memoryMb } = compute;
  return { gpuTypeId, gpus, virtual, vcpus, memoryMb, diskGb, rate };
}
