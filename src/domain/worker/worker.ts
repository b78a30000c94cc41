// A Worker. Its observed state decides which fields it has, so that an illegal state does not
// compile.

import type { EndCause } from "../container/end-cause.ts";
import type { WorkerHealth } from "../serving/health-check.ts";
import type { Serving } from "../serving/serving.ts";
import type { StartInstants } from "./cold-start.ts";

export type DesiredState = "run" | "drain" | "end";
export type ObservedState = "new" | "running" | "ended";

interface Created extends Omit<StartInstants, "startedAt"> {
  id: string;
  endpointId: string;
  version: number;
  /**
   * The machine that it runs on. Only the replica that manages the machine can start, observe and
   * end it.
   */
  machine: string;
  driver: string;
  gpuTypeId: string | null;
  /** Indices of its GPUs. */
  gpus: number[];
  virtual: boolean;
  vcpus: number;
  memoryMb: number;
  /** Micro-dollars per hour, at its last pricing. */
  rate: number;
  desired: DesiredState;
  desiredReason: string | null;
  /** When it took its first job; null also for a worker of a load-balancing endpoint. */
  firstJobAt: number | null;
  /** When it last finished or lost a job. */
  freedAt: number | null;
  pingedAt: number | null;
  /** The SDK version its pings carry. */
  pingVersion: string | null;
  /** When it last called. */
  seenAt: number | null;
  /** The number of jobs that it finished. */
  served: number;
  /** Why it cannot serve; null for a healthy worker. */
  unhealthy: string | null;
  /** When its end was requested first. */
  endAskedAt: number | null;
  /** When its container was first told to end. */
  signalledAt: number | null;
  /** Where it serves requests; null for a worker of a queue. */
  serving: Serving | null;
  /** The result of its health checks; null before the first. */
  health: WorkerHealth | null;
}

type NewWorker = Created & { observed: "new"; startedAt: null };
type RunningWorker = Created & { observed: "running"; startedAt: number };
export type EndedWorker = Created & {
  observed: "ended";
  /** Null if it ended before a start was observed. */
  startedAt: number | null;
  endedAt: number;
  exitCode: number | null;
  signal: string | null;
  endCause: EndCause | null;
};
export type Worker = NewWorker | RunningWorker | EndedWorker;

interface WithJobs {
  /** The number of jobs that it holds, or of requests in flight. */
  jobsHeld: number;
}

export type WorkerWithJobs = Worker & WithJobs;
/** A worker that has not ended. */
export type LiveWorker = (NewWorker | RunningWorker) & WithJobs;

export function isEndedWorker(worker: Worker): worker is EndedWorker {
  return worker.observed === "ended";
}

/** A worker before it is stored. */
export interface WorkerRequest {
  id: string;
  endpointId: string;
  version: number;
  machine: string;
  driver: string;
  /** Where it serves requests; absent for a worker of a queue. */
  serving?: Serving | null;
}

/** The resources that a worker occupies. Any number of workers can share virtual resources. */
export interface Allocation {
  gpuTypeId: string | null;
  gpus: readonly number[];
  virtual: boolean;
  vcpus: number;
  memoryMb: number;
  diskGb: number;
  /** Micro-dollars per hour for its resources. */
  rate: number;
}

export const noAllocation: Allocation = {
  gpuTypeId: null,
  gpus: [],
  virtual: false,
  vcpus: 0,
  memoryMb: 0,
  diskGb: 0,
  rate: 0,
};
