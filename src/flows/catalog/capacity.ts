// The current capacity: online machines and their free resources.

import type { Clock } from "../../base/clock.ts";
import type { Place } from "../../domain/placement/place.ts";
import { type Shelf, shelfOf } from "../../domain/placement/stock.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { fabricMachines } from "../../store/fabric/fabric.ts";
import { knownMachines, type StoredMachine } from "../../store/replica/inventory.ts";
import { placesOf } from "../../transactions/place/places.ts";
import { readCached } from "../read-cache.ts";

/** A cluster has two Pods at least, and each has a GPU at least. */
const MIN_CLUSTER_PODS = 2;

export interface Capacity {
  places: readonly Place[];
  shelf: Shelf;
  /** The largest number of GPUs of a type on one machine, free or not. */
  maxGpus: ReadonlyMap<string, number>;
  /** Where the smallest cluster of a type has room; null among them is any data center. */
  clusterDataCenters: ReadonlyMap<string, ReadonlySet<string | null>>;
  /** The number of GPUs of each type on the machines in `places`, free or not. */
  totalGpus: ReadonlyMap<string, number>;
}

export async function capacityOf({
  store,
  clock,
  heartbeatTiming,
}: {
  store: Store;
  clock: Clock;
  heartbeatTiming: HeartbeatTiming;
}): Promise<Capacity> {
  // A machine can go offline, and a maintenance can begin, without a write: so the result is cached for one second.
  const at = Math.floor(clock.now() / 1_000) * 1_000;
  return readCached(store, "capacity", readCapacity, at - heartbeatTiming.goneMs, at);
}

/** A machine that accepts nothing new has no capacity. */
function* readCapacity(since: number, at: number): Tx<Capacity> {
  const all = yield* placesOf({ since, machine: null, except: null, at });
  const places = all.filter(({ closed }) => closed === null);
  const machines = yield* knownMachines();
  const open = new Set(places.map(({ machine }) => machine));
  const totalGpus = totalGpusOf(machines.filter(({ machine }) => open.has(machine)));
  const fabrics = new Map((yield* fabricMachines()).map((each) => [each.machine, each.fabric]));
  const networks = Map.groupBy(machines, ({ machine }) => fabrics.get(machine) ?? machine);
  return {
    places,
    shelf: shelfOf(places),
    totalGpus,
    maxGpus: maxGpusOf(machines),
    clusterDataCenters: clusterDataCentersOf([...networks.values()]),
  };
}

function totalGpusOf(machines: readonly StoredMachine[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const { gpuTypeId, indices } of machines.flatMap(({ inventory }) => inventory.gpus)) {
    total.set(gpuTypeId, (total.get(gpuTypeId) ?? 0) + indices.length);
  }
  return total;
}

/** The largest number of GPUs of each type on one machine. */
function maxGpusOf(machines: readonly StoredMachine[]): Map<string, number> {
  const maxGpus = new Map<string, number>();
  for (const [gpuTypeId, count] of machines.flatMap((machine) => [...totalGpusOf([machine])])) {
    maxGpus.set(gpuTypeId, Math.max(maxGpus.get(gpuTypeId) ?? 0, count));
  }
  return maxGpus;
}

/** Networks are the machines that one cluster can span. A machine that declares no data center is in any. */
function clusterDataCentersOf(
  networks: readonly (readonly StoredMachine[])[],
): Map<string, Set<string | null>> {
  const all = new Map<string, Set<string | null>>();
  for (const network of networks) {
    for (const id of new Set(network.map(({ inventory }) => inventory.dataCenterId))) {
      const there = network.filter(
        ({ inventory: { dataCenterId } }) => dataCenterId === null || dataCenterId === id,
      );
      for (const [gpuTypeId, count] of totalGpusOf(there)) {
        if (count < MIN_CLUSTER_PODS) continue;
        all.set(gpuTypeId, (all.get(gpuTypeId) ?? new Set()).add(id));
      }
    }
  }
  return all;
}
