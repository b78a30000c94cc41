// Brings every endpoint to the number of workers it should have: looks at its queue and its
// workers, lets the domain decide, and writes what is wanted. Other loops make it so.

import type { Clock } from "../base/clock.ts";
import { hashSecret, type Ids } from "../base/ids.ts";
import type { Catalog } from "../domain/catalog/catalog.ts";
import type { Endpoint, EndpointSpec } from "../domain/endpoint/endpoint.ts";
import type { Drain, Pause } from "../domain/endpoint/fleet.ts";
import { decideFleet, type FleetPlan } from "../domain/endpoint/fleet-plan.ts";
import { ENDPOINT_DELETED } from "../domain/job/sentences.ts";
import type { Rhythm } from "../domain/replica/rhythm.ts";
import { driverOf } from "../domain/worker/placement.ts";
import { lookAtFleet } from "../flows/endpoint/fleet.ts";
import { machinesMounting, settleOn } from "../flows/network-volume/of-worker.ts";
import { endpointsToTend, findRelease } from "../store/endpoint/endpoint.ts";
import { endQueued } from "../store/job/end.ts";
import { placeForWorker } from "../store/place/worker.ts";
import { holdPrices } from "../store/price-book/hold.ts";
import { hasDuty } from "../store/replica/duty.ts";
import { liveMachines } from "../store/replica/replica.ts";
import type { Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import { insertWorker, type WorkerRow, wantEnd } from "../store/worker/worker.ts";
import type { Loop } from "./loop.ts";

export interface AutoscaleDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  catalog: Catalog;
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
    topics: [topic.fleet, topic.pods],
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
  const { fleet, paused } = await deps.store.read(lookAtFleet, endpoint, now);
  const plan = decideFleet(fleet);
  const acted = await carryOut(deps, endpoint, { ...plan, paused }, now);
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
  plan: FleetPlan & { paused: Pause | null },
  now: number,
): Promise<boolean> {
  for (const { id, why } of plan.drain) {
    const desired = why === "unhealthy" ? "end" : "drain";
    await deps.store.write(wantEnd, id, desired, drainSentence(why, plan.paused), now);
  }
  if (plan.start === 0) return plan.drain.length > 0;
  const release = await deps.store.read(findRelease, endpoint.id, endpoint.version);
  if (!release) return plan.drain.length > 0;
  const since = now - deps.rhythm.goneMs;
  const machines = await deps.store.read(liveMachines, since);
  const offered = (name: string) => machines.some(({ drivers }) => drivers.includes(name));
  const driver = driverOf(release.workload, offered);
  for (let n = 0; n < plan.start; n++) {
    const id = deps.ids.short(14);
    const keyHash = hashSecret(deps.workerSecret(id));
    const worker = { id, endpoint_id: endpoint.id, version: endpoint.version, driver, keyHash };
    const { networkVolumeIds } = release.workload;
    const wanted = { worker, spec: endpoint.spec, networkVolumeIds };
    const made = await deps.store.write(onDuty, deps, wanted, since, now);
    // Whoever took over meanwhile has decided for himself, and from what he sees now.
    if (made === null) return false;
    if (!made) return n > 0 || plan.drain.length > 0;
  }
  return true;
}

interface NewWorker {
  worker: Pick<WorkerRow, "id" | "endpoint_id" | "version" | "driver"> & { keyHash: string };
  spec: EndpointSpec;
  networkVolumeIds: string[];
}

/** Null where the duty is somebody else's by now, false where no machine can have it. */
function* onDuty(
  { replicaId, catalog }: AutoscaleDeps,
  { worker: { keyHash, ...worker }, spec, networkVolumeIds }: NewWorker,
  since: number,
  now: number,
): Verb<boolean | null> {
  if (!(yield* hasDuty(NAME, replicaId))) return null;
  const among = yield* machinesMounting(networkVolumeIds);
  const search = { since, machine: null, except: null, among };
  yield* holdPrices(catalog);
  const place = yield* placeForWorker(catalog, spec, worker.driver, search, now);
  if (place === null || !(yield* settleOn(networkVolumeIds, place.machine))) return false;
  yield* insertWorker({ ...worker, machine: place.machine }, keyHash, now, place.given);
  return true;
}

function drainSentence(why: Drain["why"], paused: Pause | null): string {
  if (why !== "workers_max" || paused === null) return drainSentences[why];
  return paused.code === "no_credits" ? "the account has no credits left" : paused.what;
}

const drainSentences = {
  idle: "it was idle for its idle time-out",
  workers_max: "there were more workers than workersMax",
  unhealthy: "it was unhealthy",
  outdated: "a newer version took its place",
};
