// The queue of the floor: maps in memory, nothing stored. It leaves the cost of the routes, which no durable queue
// behind them can go below.
import { Fifo } from "./fifo.ts";
import type { Hold, JobResult, JobView, Queue, SubmittedJob, TakenJob } from "./queue.ts";

interface MemoryJob {
  id: string;
  input: Record<string, unknown>;
  view: JobView;
  submittedAt: number;
  takenAt: number;
}

interface HeldTake {
  workerId: string;
  resolve: (job: TakenJob | undefined) => void;
  timer: NodeJS.Timeout;
}

export const connect = () => new MemoryQueue();

class MemoryQueue implements Queue {
  #jobs = new Map<string, MemoryJob>();
  #queued = new Fifo<MemoryJob>();
  #takes = new Set<HeldTake>();
  #ends = new Map<string, (view: JobView) => void>();

  submit(id: string, { input }: SubmittedJob): void {
    const view: JobView = { id, status: "IN_QUEUE" };
    const job: MemoryJob = { id, input, view, submittedAt: Date.now(), takenAt: 0 };
    this.#jobs.set(id, job);
    const [held] = this.#takes;
    if (!held) {
      this.#queued.push(job);
      return;
    }
    this.#takes.delete(held);
    clearTimeout(held.timer);
    held.resolve(this.#hand(job, held.workerId));
  }

  take(workerId: string, hold: Hold): TakenJob | Promise<TakenJob | undefined> {
    const job = this.#queued.shift();
    if (job) return this.#hand(job, workerId);
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#takes.delete(waiting);
        resolve(undefined);
      };
      const timer = setTimeout(end, hold.ms);
      const waiting: HeldTake = { workerId, resolve, timer };
      this.#takes.add(waiting);
      hold.onClose(end);
    });
  }

  finish(id: string, { output, error }: JobResult): boolean {
    const job = this.#jobs.get(id);
    if (job?.view.status !== "IN_PROGRESS") return false;
    job.view.executionTime = Date.now() - job.takenAt;
    job.view.status = error === undefined ? "COMPLETED" : "FAILED";
    if (error !== undefined) job.view.error = error;
    if (output !== undefined) job.view.output = output;
    this.#ends.get(id)?.(job.view);
    return true;
  }

  view(id: string): JobView | undefined {
    return this.#jobs.get(id)?.view;
  }

  submitAndWait(id: string, job: SubmittedJob, holdMs: number): Promise<JobView | undefined> {
    return new Promise((resolve) => {
      const end = (view: JobView | undefined) => {
        clearTimeout(timer);
        this.#ends.delete(id);
        resolve(view);
      };
      const timer = setTimeout(() => end(this.view(id)), holdMs);
      this.#ends.set(id, end);
      this.submit(id, job);
    });
  }

  #hand(job: MemoryJob, workerId: string): TakenJob {
    job.takenAt = Date.now();
    job.view.status = "IN_PROGRESS";
    job.view.workerId = workerId;
    job.view.delayTime = job.takenAt - job.submittedAt;
    return { id: job.id, input: job.input };
  }
}
