// The phase of a worker, from its desired and its observed state.

import type { WorkerWithJobs } from "./worker.ts";

export type WorkerPhase = "starting" | "idle" | "busy" | "draining" | "unhealthy" | "ended";

type WorkerFacts = Pick<
  WorkerWithJobs,
  "desired" | "observed" | "unhealthy" | "readyAt" | "health" | "jobsHeld"
>;

export function workerPhase(worker: WorkerFacts): WorkerPhase {
  if (worker.observed === "ended") return "ended";
  if (worker.unhealthy !== null) return "unhealthy";
  if (worker.desired !== "run") return "draining";
  if (worker.readyAt === null) return "starting";
  // A worker that fails its health checks may recover; until then it counts like one that starts.
  if (worker.health !== null && worker.health.state !== "ready") return "starting";
  return worker.jobsHeld > 0 ? "busy" : "idle";
}
