// Brings every endpoint to its desired number of workers: reads its queue and its workers, lets the
// domain decide, and writes the desired state. The reconcile loop carries it out.

import type { Clock } from "../../base/clock.ts";
import { hashSecret, type Ids } from "../../base/ids.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { Endpoint, EndpointSpec } from "../../domain/endpoint/endpoint.ts";
import type { Drain, Pause } from "../../domain/endpoint/fleet.ts";
import { decideFleet, type FleetPlan } from "../../domain/endpoint/fleet-plan.ts";
import { ENDPOINT_DELETED } from "../../domain/job/sentences.ts";
import { driverOn } from "../../domain/placement/driver-on.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import { servingOf } from "../../domain/serving/serving.ts";
import { driverOf } from "../../domain/worker/placement.ts";
import type { WorkerRequest } from "../../domain/worker/worker.ts";
import { readFleet } from "../../flows/endpoint/fleet.ts";
import { endpointsToManage, findRelease } from "../../store/endpoint/endpoint.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { holdsLeadership } from "../../store/leadership/leadership.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { liveMachines } from "../../store/replica/replica.ts";
import { endQueued } from "../../transactions/job/end.ts";
import {
  machinesMounting,
  placeWorkerVolume,
} from "../../transactions/network-volume/of-worker.ts";
import { placeForWorker } from "../../transactions/place/worker.ts";
import { insertWorker } from "../../transactions/worker/insert.ts";
import { requestWorkerEnd } from "../../transactions/worker/request-end.ts";
import type { Loop } from "../engine/loop.ts";

export interface AutoscaleDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  catalog: Catalog;
  /** The secret of a worker, derived from its id. */
  workerSecret: (workerId: string) => string;
  heartbeatTiming: HeartbeatTiming;
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
    async run() {
      let again: number | null = null;
      for (const endpoint of await deps.store.read(endpointsToManage)) {
        const at = await tend(deps, endpoint);
        if (at !== null) again = Math.min(again ?? at, at);
      }
      return again;
    },
  };
}

async function tend(deps: AutoscaleDeps, endpoint: Endpoint): Promise<number | null> {
  const now = deps.clock.now();
  const { fleet, paused } = await deps.store.read(readFleet, endpoint, now);
  const plan = decideFleet(fleet);
  const acted = await carryOut(deps, endpoint, { ...plan, paused }, now);
  if (endpoint.deletedAt !== null) {
    await deps.store.write(endQueued, endpoint.id, "cancel", ENDPOINT_DELETED, now, 200);
  }
  // A plan that was carried out may call for another; plans settle within a few passes.
  return acted ? now : plan.wakeAt;
}

/** Returns whether anything was changed. A workload that no machine can run is not started. */
async function carryOut(
  deps: AutoscaleDeps,
  endpoint: Endpoint,
  plan: FleetPlan & { paused: Pause | null },
  now: number,
): Promise<boolean> {
  for (const { id, why } of plan.drain) {
    const desired = why === "unhealthy" ? "end" : "drain";
    await deps.store.write(requestWorkerEnd, id, desired, drainSentence(why, plan.paused), now);
  }
  if (plan.start === 0) return plan.drain.length > 0;
  const release = await deps.store.read(findRelease, endpoint.id, endpoint.version);
  if (!release) return plan.drain.length > 0;
  const since = now - deps.heartbeatTiming.goneMs;
  const machines = await deps.store.read(liveMachines, since);
  const offered = (name: string) =>
    machines.some(({ drivers }) => driverOn(drivers, name) !== null);
  const driver = driverOf(release.workload, offered);
  for (let n = 0; n < plan.start; n++) {
    const id = deps.ids.short(14);
    const keyHash = hashSecret(deps.workerSecret(id));
    const worker = {
      ...{ id, endpointId: endpoint.id, version: endpoint.version, driver, keyHash },
      serving: endpoint.spec.type === "LB" ? servingOf(release.workload.env) : null,
    };
    const { networkVolumeIds } = release.workload;
    const target = { worker, spec: endpoint.spec, networkVolumeIds };
    const started = await deps.store.write(whileLeading, deps, target, since, now);
    // The replica that took over leadership decides from what it reads now.
    if (started === null) return false;
    if (!started) return n > 0 || plan.drain.length > 0;
  }
  return true;
}

interface WorkerStart {
  worker: Omit<WorkerRequest, "machine"> & { keyHash: string };
  spec: EndpointSpec;
  networkVolumeIds: string[];
}

/** Null where another replica leads by now, false where no machine has room. */
function* whileLeading(
  { replicaId, catalog }: AutoscaleDeps,
  { worker: { keyHash, ...worker }, spec, networkVolumeIds }: WorkerStart,
  since: number,
  now: number,
): Tx<boolean | null> {
  if (!(yield* holdsLeadership(NAME, replicaId))) return null;
  const among = yield* machinesMounting(networkVolumeIds);
  const search = { since, machine: null, except: null, among };
  yield* lockPricesShared(catalog);
  const place = yield* placeForWorker(catalog, spec, worker.driver, search, now);
  if (place === null || !(yield* placeWorkerVolume(networkVolumeIds, place.machine))) return false;
  const { machine, driver, allocation } = place;
  yield* insertWorker({ ...worker, machine, driver }, keyHash, now, allocation);
  return true;
}

function drainSentence(why: Drain["why"], paused: Pause | null): string {
  if (why !== "workers_max" || paused === null) return drainSentences[why];
  return paused.code === "no_credits" ? "the account has no credits left" : paused.what;
}

const drainSentences = {
  idle: "it was idle for its whole idle timeout",
  workers_max: "there were more workers than workersMax",
  unhealthy: "it was unhealthy",
  outdated: "a newer version took its place",
};
