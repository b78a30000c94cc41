// What an endpoint's health shows: counters of its jobs, and its workers by what they are doing.

import { type WorkerPhase, workerPhase } from "../../domain/worker/phase.ts";
import { tallyOf } from "../../store/job/load.ts";
import type { Store } from "../../store/store.ts";
import { liveWorkers } from "../../store/worker/worker.ts";

export interface Health {
  jobs: Record<"completed" | "failed" | "inProgress" | "inQueue" | "retried", number>;
  workers: Record<
    "idle" | "initializing" | "ready" | "running" | "throttled" | "unhealthy",
    number
  >;
  readyWorkers?: string[];
}

export async function endpointHealth(
  { store }: { store: Store },
  endpointId: string,
  withIds = false,
): Promise<Health> {
  const jobs = await store.read(tallyOf, endpointId);
  const workers = await store.read(liveWorkers, endpointId);
  const phases = workers.map((worker) => ({ id: worker.id, phase: workerPhase(worker) }));
  const count = (phase: WorkerPhase) => phases.filter((each) => each.phase === phase).length;
  const idle = count("idle");
  return {
    jobs: {
      completed: jobs.completed,
      failed: jobs.failed,
      inProgress: jobs.in_progress,
      inQueue: jobs.in_queue,
      retried: jobs.retried,
    },
    workers: {
      idle,
      initializing: count("starting"),
      ready: idle,
      running: count("busy") + count("draining"),
      throttled: 0,
      unhealthy: count("unhealthy"),
    },
    ...(withIds && { readyWorkers: phases.filter((e) => e.phase === "idle").map((e) => e.id) }),
  };
}
