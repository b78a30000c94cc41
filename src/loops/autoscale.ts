// Brings every endpoint to the number of workers it should have: looks at its queue and its
// workers, lets the domain decide, and writes what is wanted. Other loops make it so.

import type { Clock } from "../base/clock.ts";
import { hashSecret, type Ids } from "../base/ids.ts";
import { decideBrake } from "../domain/endpoint/crash-brake.ts";
import type { Endpoint } from "../domain/endpoint/endpoint.ts";
import type { Fleet, FleetWorker } from "../domain/endpoint/fleet.ts";
import { decideFleet, type FleetPlan } from "../domain/endpoint/fleet-plan.ts";
import type { ReleaseWorkload } from "../domain/endpoint/release.ts";
import { ENDPOINT_DELETED } from "../domain/job/sentences.ts";
import { workerPhase } from "../domain/worker/phase.ts";
import { endpointsToTend, findRelease } from "../store/endpoint/endpoint.ts";
import { endQueued } from "../store/job/end.ts";
import { queueLoad } from "../store/job/load.ts";
import type { Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import {
  endedWorkers,
  insertWorker,
  type LiveWorker,
  liveWorkers,
  type WorkerRow,
  wantEnd,
} from "../store/worker/worker.ts";
import type { Loop } from "./loop.ts";

export interface AutoscaleDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  /** The secret of a worker, always the same for the same worker. */
  workerSecret: (workerId: string) => string;
  /** Which driver runs a workload; null if none here can. */
  driverFor: (workload: ReleaseWorkload) => string | null;
}

/** As many ends as the brake looks back on. */
const ENDS = 10;

export function autoscaleLoop(deps: AutoscaleDeps): Loop {
  return {
    name: "autoscale",
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
  await carryOut(deps, endpoint, plan, now);
  if (endpoint.deletedAt !== null) {
    await deps.store.write(endQueued, endpoint.id, "cancel", ENDPOINT_DELETED, now, 200);
  }
  return plan.wakeAt;
}

async function carryOut(deps: AutoscaleDeps, endpoint: Endpoint, plan: FleetPlan, now: number) {
  for (const { id, why } of plan.drain) {
    await deps.store.write(wantEnd, id, "drain", drainSentences[why], now);
  }
  if (plan.start === 0) return;
  const release = await deps.store.read(findRelease, endpoint.id, endpoint.version);
  const driver = release && deps.driverFor(release.workload);
  if (!driver) return;
  for (let n = 0; n < plan.start; n++) {
    const id = deps.ids.short(14);
    const worker = { id, endpoint_id: endpoint.id, version: endpoint.version, driver };
    await deps.store.write(insertWorker, worker, hashSecret(deps.workerSecret(id)), now);
  }
}

const drainSentences = {
  idle: "it was idle for its idle time-out",
  workers_max: "there were more workers than workersMax",
  unhealthy: "it was unhealthy",
  outdated: "a newer version took its place",
};

/** What the decision is made of, as one consistent look. */
export function* fleetOf(endpoint: Endpoint, now: number): Verb<Fleet> {
  const { spec, version } = endpoint;
  const live = yield* liveWorkers(endpoint.id);
  const ended = yield* endedWorkers(endpoint.id, ENDS);
  const deleted = endpoint.deletedAt !== null;
  return {
    version,
    policy: {
      workersMin: deleted ? 0 : spec.workersMin,
      workersMax: deleted ? 0 : spec.workersMax,
      scalerType: spec.scalerType,
      scalerValue: spec.scalerValue,
      idleTimeoutS: spec.idleTimeout,
    },
    queue: yield* queueLoad(endpoint.id),
    workers: live.map(asFleetWorker),
    brake: decideBrake({
      version,
      ends: ended.map(asEnd),
      lastServedAt: lastServed(endpoint, live),
    }),
    now,
  };
}

function asFleetWorker(worker: LiveWorker): FleetWorker {
  const phase = workerPhase(worker);
  return {
    id: worker.id,
    version: worker.version,
    state: phase === "ended" ? "draining" : phase,
    startedAt: worker.created_at,
    readyAt: worker.ready_at,
    idleSince: worker.freed_at,
  };
}

export function asEnd(worker: WorkerRow) {
  return {
    version: worker.version,
    endedAt: worker.ended_at!,
    exitCode: worker.exit_code,
    signal: worker.signal,
    served: worker.served,
    lifeMs: worker.ended_at! - (worker.started_at ?? worker.created_at),
    wanted: worker.desired !== "run",
  };
}

function lastServed(endpoint: Endpoint, live: LiveWorker[]): number | null {
  const times = live
    .filter(({ version, served }) => version === endpoint.version && served > 0)
    .map(({ freed_at }) => freed_at ?? 0);
  return times.length > 0 ? Math.max(...times) : null;
}
