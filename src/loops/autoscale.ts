// Brings every endpoint to the number of workers it should have: looks at its queue and its
// workers, lets the domain decide, and writes what is wanted. Other loops make it so.

import type { Clock } from "../base/clock.ts";
import { hashSecret, type Ids } from "../base/ids.ts";
import type { Endpoint } from "../domain/endpoint/endpoint.ts";
import { decideFleet, type FleetPlan } from "../domain/endpoint/fleet-plan.ts";
import { ENDPOINT_DELETED } from "../domain/job/sentences.ts";
import type { Rhythm } from "../domain/replica/rhythm.ts";
import { driverOf, placeWorkers } from "../domain/worker/placement.ts";
import { fleetOf } from "../flows/endpoint/fleet.ts";
import { machinesMounting, settleOn } from "../flows/network-volume/of-worker.ts";
import { endpointsToTend, findRelease } from "../store/endpoint/endpoint.ts";
import { endQueued } from "../store/job/end.ts";
import { hasDuty } from "../store/replica/duty.ts";
import { liveMachines } from "../store/replica/replica.ts";
import type { Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import { insertWorker, wantEnd } from "../store/worker/worker.ts";
import type { Loop } from "./loop.ts";

export interface AutoscaleDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  /** The secret of a worker, always the same for the same worker. */
  workerSecret: (workerId: string) => string;
  rhythm: Rhythm;
  replicaId: string;
}

const NAME = "autoscale";

export function autoscaleLoop(deps: AutoscaleDeps): Loop {
  return {
    name: NAME,
    shared: true,
    periodMs: 1_000,
    restMs: 100,
    topics: [topic.fleet],
    async turn() {
      let again: number | null = null;
      for (const endpoint of await deps.store.read(endpointsToTend)) {
        const at = await tend(deps, endpoint);
        if (at !== null) again = Math.min(again ?? at, at);
      }
      return again;
    },
  };
}

async function tend(deps: AutoscaleDeps, endpoint: Endpoint): Promise<number | null> {
  const now = deps.clock.now();
  const plan = decideFleet(await deps.store.read(fleetOf, endpoint, now));
  const acted = await carryOut(deps, endpoint, plan, now);
  if (endpoint.deletedAt !== null) {
    await deps.store.write(endQueued, endpoint.id, "cancel", ENDPOINT_DELETED, now, 200);
  }
  // A plan carried out may call for another: plans come to rest within a few turns.
  return acted ? now : plan.wakeAt;
}

/** Returns whether anything was done: a workload that no machine can run is not started. */
async function carryOut(
  deps: AutoscaleDeps,
  endpoint: Endpoint,
  plan: FleetPlan,
  now: number,
): Promise<boolean> {
  for (const { id, why } of plan.drain) {
    const desired = why === "unhealthy" ? "end" : "drain";
    await deps.store.write(wantEnd, id, desired, drainSentences[why], now);
  }
  if (plan.start === 0) return plan.drain.length > 0;
  const release = await deps.store.read(findRelease, endpoint.id, endpoint.version);
  if (!release) return plan.drain.length > 0;
  const places = await deps.store.read(liveMachines, now - deps.rhythm.goneMs);
  const offered = (name: string) => places.some(({ drivers }) => drivers.includes(name));
  const driver = driverOf(release.workload, offered);
  const { networkVolumeIds } = release.workload;
  const mounting = await deps.store.read(machinesMounting, networkVolumeIds);
  const able = places.filter(({ machine }) => mounting === null || mounting.has(machine));
  const placed = placeWorkers(able, driver, plan.start);
  for (const machine of placed) {
    const id = deps.ids.short(14);
    const worker = { id, endpoint_id: endpoint.id, version: endpoint.version, machine, driver };
    const key = hashSecret(deps.workerSecret(id));
    // Whoever took over meanwhile has decided for himself, and from what he sees now.
    const started = deps.store.write(
      startOnDuty,
      deps.replicaId,
      networkVolumeIds,
      worker,
      key,
      now,
    );
    if (!(await started)) return false;
  }
  return placed.length > 0 || plan.drain.length > 0;
}

function* startOnDuty(
  replicaId: string,
  networkVolumeIds: string[],
  ...[worker, key, now]: Parameters<typeof insertWorker>
): Verb<boolean> {
  if (!(yield* hasDuty(NAME, replicaId))) return false;
  if (!(yield* settleOn(networkVolumeIds, worker.machine))) return false;
  yield* insertWorker(worker, key, now);
  return true;
}

const drainSentences = {
  idle: "it was idle for its idle time-out",
  workers_max: "there were more workers than workersMax",
  unhealthy: "it was unhealthy",
  outdated: "a newer version took its place",
};
