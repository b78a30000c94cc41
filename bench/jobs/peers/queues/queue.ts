// The port between the benchmark's routes and a queue: maps in memory, BullMQ or pg-boss.

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

/** How long a worker's poll is held, unless the worker closes it. */
export interface Hold {
  ms: number;
  onClose(callback: () => void): void;
}

type MaybePromise<T> = T | Promise<T>;

export interface Queue {
  submit(id: string, job: SubmittedJob): MaybePromise<void>;
  /** Resolves with a job, or undefined after the hold time or when the worker closes the poll. */
  take(workerId: string, hold: Hold): MaybePromise<TakenJob | undefined>;
  /** Returns false if no worker holds the job. */
  finish(id: string, result: JobResult): MaybePromise<boolean>;
  view(id: string): MaybePromise<JobView | undefined>;
  /** Submits and waits until the job is terminal or the time is over. */
  submitAndWait(id: string, job: SubmittedJob, holdMs: number): MaybePromise<JobView | undefined>;
}
