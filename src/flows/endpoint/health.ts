// An endpoint's health: its job counters and its workers by phase.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { countUnhealthy, recentFailures } from "../../domain/endpoint/unhealthy.ts";
import { type WorkerPhase, workerPhase } from "../../domain/worker/phase.ts";
import type { LiveWorker } from "../../domain/worker/worker.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { jobCounts } from "../../store/job/load.ts";
import { endedWorkers, liveWorkers } from "../../store/worker/worker.ts";
import { type CapacityDeps, countThrottled } from "./capacity.ts";
import { readFleet } from "./fleet.ts";

export interface Health {
  jobs: Record<"completed" | "failed" | "inProgress" | "inQueue" | "retried", number>;
  workers: Record<
    "idle" | "initializing" | "ready" | "running" | "throttled" | "unhealthy",
    number
  >;
  readyWorkers?: string[];
}

export async function endpointHealth(
  deps: CapacityDeps,
  endpoint: Endpoint,
  withIds = false,
): Promise<Health> {
  const now = deps.clock.now();
  const { jobs, workers, unhealthy } = await deps.store.read(readHealth, endpoint, now);
  const phases = workers.map((worker) => ({ id: worker.id, phase: workerPhase(worker) }));
  const count = (phase: WorkerPhase) => phases.filter((each) => each.phase === phase).length;
  const idle = count("idle");
  const { type, workersMin } = endpoint.spec;
  // The fleet is read only if it may lack workers, because clients poll this often.
  const mayLack =
    type === "LB" || jobs.inQueue > count("starting") + idle || workers.length < workersMin;
  return {
    jobs: {
      completed: jobs.completed,
      failed: jobs.failed,
      inProgress: jobs.inProgress,
      inQueue: jobs.inQueue + jobs.delayed,
      retried: jobs.retried,
    },
    workers: {
      idle,
      initializing: count("starting"),
      ready: idle,
      running: count("busy") + count("draining"),
      throttled: mayLack ? await countThrottled(deps, endpoint, now) : 0,
      unhealthy,
    },
    ...(withIds && { readyWorkers: phases.filter((e) => e.phase === "idle").map((e) => e.id) }),
  };
}

function* readHealth(endpoint: Endpoint, now: number) {
  const jobs = yield* jobCounts(endpoint.id);
  const workers = yield* liveWorkers(endpoint.id);
  return { jobs, workers, unhealthy: yield* readUnhealthy(endpoint, workers, now) };
}

/** The whole fleet is read only if a worker has ended lately, because clients poll this often. */
function* readUnhealthy(endpoint: Endpoint, workers: LiveWorker[], now: number): Tx<number> {
  const lastEnded = yield* endedWorkers(endpoint.id, 1);
  if (recentFailures(lastEnded, now).length === 0) {
    return workers.filter((worker) => workerPhase(worker) === "unhealthy").length;
  }
  const { fleet, failures } = yield* readFleet(endpoint, now);
  return countUnhealthy(fleet, failures);
}
