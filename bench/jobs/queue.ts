// What the routes of the bench's own servers ask of a queue. Two stand behind it: maps in memory
// (the floor) and BullMQ (what a user would build instead).

export interface SubmittedJob {
  input: Record<string, unknown>;
  webhook?: string;
}

export interface TakenJob {
  id: string;
  input: Record<string, unknown>;
}

/** The job object as clients read it. */
export interface JobView {
  id: string;
  status: "IN_QUEUE" | "IN_PROGRESS" | "COMPLETED" | "FAILED";
  delayTime?: number;
  executionTime?: number;
  workerId?: string;
  output?: unknown;
  error?: string;
}

export interface JobResult {
  output?: unknown;
  error?: string;
}

/** How long a worker's poll is held, and word of its hanging up before that. */
export interface Hold {
  ms: number;
  whenGone(callback: () => void): void;
}

type Soon<T> = T | Promise<T>;

export interface Queue {
  submit(id: string, job: SubmittedJob): Soon<void>;
  /** Holds until there is a job, the time is over or the worker has hung up. */
  take(workerId: string, hold: Hold): Soon<TakenJob | undefined>;
  /** False where no such job is held. */
  finish(id: string, result: JobResult): Soon<boolean>;
  view(id: string): Soon<JobView | undefined>;
  /** Submits, and holds until the job is terminal or the time is over. */
  submitAndWait(id: string, job: SubmittedJob, holdMs: number): Soon<JobView | undefined>;
}
