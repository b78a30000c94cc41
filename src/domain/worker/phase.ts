// What a worker is doing, in one word, out of what is wanted and what was seen of it.

export type WorkerPhase = "starting" | "idle" | "busy" | "draining" | "unhealthy" | "ended";

export interface WorkerFacts {
  desired: "run" | "drain" | "end";
  observed: "new" | "running" | "ended";
  unhealthy: string | null;
  ready_at: number | null;
  /** How many jobs it holds. */
  held: number;
}

export function workerPhase(worker: WorkerFacts): WorkerPhase {
  if (worker.observed === "ended") return "ended";
  if (worker.unhealthy !== null) return "unhealthy";
  if (worker.desired !== "run") return "draining";
  if (worker.ready_at === null) return "starting";
  return worker.held > 0 ? "busy" : "idle";
}
