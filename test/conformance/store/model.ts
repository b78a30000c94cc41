// The queue as a list in memory, simple enough to be obviously correct. The store is compared with
// it.

import { type JobEvent, type JobState, jobMove } from "../../../src/domain/job/moves.ts";
import { KEEP_MS, TTL_MS } from "./fixture.ts";

export interface ModelJob {
  id: string;
  /** The order of submission. */
  seq: number;
  priority: number;
  state: JobState;
  holder: string | null;
  /** The workers it was taken from, with the number of chunks of each one's last attempt. */
  earlier: Map<string, number>;
  /** Those of them that have reported on their last attempt: another report does not count. */
  reported: Set<string>;
  attempts: number;
  /** The last attempt that it was taken from. */
  left: number;
  retries: number;
  chunks: number;
  ttlMs: number;
  ttlAt: number;
  forgetAt: number;
  /** When it enters its queue while it is delayed. */
  dueAt: number;
}

export interface Submission {
  priority: number;
  ttlMs?: number;
  delayMs?: number;
}

export class Model {
  readonly jobs: ModelJob[] = [];
  /** Ends and retries, forgotten jobs included. */
  readonly #ever = { completed: 0, failed: 0, retried: 0 };

  /** A copy in the same state. */
  copy(): Model {
    const other = new Model();
    for (const job of this.jobs) {
      const own = { earlier: new Map(job.earlier), reported: new Set(job.reported) };
      other.jobs.push({ ...job, ...own });
    }
    Object.assign(other.#ever, this.#ever);
    return other;
  }

  /** `seq` is given if the order of submission is not the order of calls. */
  submit(
    id: string,
    { priority, ttlMs = TTL_MS, delayMs = 0 }: Submission,
    now: number,
    seq = this.#next(),
  ): void {
    const counts = { attempts: 0, left: 0, retries: 0, chunks: 0 };
    const dueAt = now + delayMs;
    const times = { ttlMs, ttlAt: dueAt + ttlMs, forgetAt: 0, dueAt };
    const state = delayMs > 0 ? "DELAYED" : "IN_QUEUE";
    const earlier = { earlier: new Map<string, number>(), reported: new Set<string>() };
    const noHolder = { holder: null, ...earlier };
    this.jobs.push({ id, seq, priority, state, ...noHolder, ...counts, ...times });
  }

  /** The order of dispatch: priority, then submission. */
  queue(): ModelJob[] {
    const queued = this.jobs.filter(({ state }) => state === "IN_QUEUE");
    return queued.sort((a, b) => b.priority - a.priority || a.seq - b.seq);
  }

  /** Skips jobs that are `busy`: another transaction has locked them. */
  claim(worker: string, limit: number, now: number, busy = (_id: string) => false): string[] {
    const ready = this.queue().filter(({ id, ttlAt }) => ttlAt > now && !busy(id));
    return ready.slice(0, limit).map((job) => {
      job.state = "IN_PROGRESS";
      job.holder = worker;
      job.attempts++;
      return job.id;
    });
  }

  finish(id: string, worker: string, failed: boolean, now: number): string {
    const job = this.find(id);
    if (!job || (job.holder !== worker && !job.earlier.has(worker))) return "unknown";
    if (job.holder !== worker && job.reported.has(worker)) return "late";
    const holder = job.state === "IN_PROGRESS" ? job.holder : null;
    if (!this.#move(job, failed ? "fail" : "complete", now)) return "late";
    if (job.holder !== worker) {
      job.chunks = job.earlier.get(worker)!;
      job.reported.add(worker);
      if (holder !== null) this.#leave(job, holder);
      for (const each of job.earlier.keys()) job.earlier.set(each, 0);
    }
    job.holder = worker;
    return "recorded";
  }

  /** Finishes a job for the worker that holds it; does nothing for another worker. */
  finishHeld(id: string, worker: string, failed: boolean, now: number): boolean {
    const job = this.find(id);
    if (job?.state !== "IN_PROGRESS" || job.holder !== worker) return false;
    return this.finish(id, worker, failed, now) === "recorded";
  }

  stream(id: string, worker: string): string {
    const job = this.find(id);
    if (!job || (job.holder !== worker && !job.earlier.has(worker))) return "unknown";
    const isHolder = job.holder === worker;
    if (!live(job.state) || (!isHolder && job.reported.has(worker))) return "late";
    if (isHolder) job.chunks++;
    else job.earlier.set(worker, job.earlier.get(worker)! + 1);
    return "recorded";
  }

  end(id: string, event: JobEvent, now: number): JobState | null {
    const job = this.find(id);
    const holder = job?.state === "IN_PROGRESS" ? job.holder : null;
    if (job && this.#move(job, event, now) && holder !== null) this.#leave(job, holder);
    return job?.state ?? null;
  }

  requeue(id: string, event: "lose" | "requeue"): boolean {
    const job = this.find(id);
    if (!job || jobMove(job.state, event) === null) return false;
    job.state = "IN_QUEUE";
    this.#leave(job, job.holder!);
    job.holder = null;
    job.chunks = 0;
    if (event === "lose") {
      job.retries++;
      this.#ever.retried++;
    }
    return true;
  }

  /** An attempt failed; another one follows at once or after a pause. */
  tryAgain(id: string, pauseMs: number, now: number): boolean {
    if (!this.requeue(id, "lose")) return false;
    const job = this.find(id)!;
    if (pauseMs > 0) job.state = "DELAYED";
    job.dueAt = now + pauseMs;
    return true;
  }

  release(now: number): number {
    const due = this.jobs.filter(({ state, dueAt }) => state === "DELAYED" && dueAt <= now);
    for (const job of due) job.state = "IN_QUEUE";
    return due.length;
  }

  retry(id: string, now: number): boolean {
    const job = this.find(id);
    if (!job || jobMove(job.state, "retry") === null || job.forgetAt <= now) return false;
    const { holder } = job;
    if (holder !== null && job.attempts > job.left) {
      this.#leave(job, holder);
      job.reported.add(holder);
    }
    this.#ever.retried++;
    Object.assign(job, { state: "IN_QUEUE", holder: null, chunks: 0, retries: 0 });
    for (const each of job.earlier.keys()) job.earlier.set(each, 0);
    job.ttlAt = now + job.ttlMs;
    return true;
  }

  purge(now: number): number {
    const waiting = this.jobs.filter(({ state }) => jobMove(state, "purge") !== null);
    for (const job of waiting) this.#move(job, "purge", now);
    return waiting.length;
  }

  expire(now: number): void {
    for (const job of this.queue()) if (job.ttlAt <= now) this.#move(job, "expire", now);
  }

  sweep(now: number): void {
    const remaining = this.jobs.filter(({ state, forgetAt }) => live(state) || forgetAt > now);
    this.jobs.splice(0, this.jobs.length, ...remaining);
  }

  find(id: string): ModelJob | undefined {
    return this.jobs.find((job) => job.id === id);
  }

  counts(): Record<string, number> {
    const count = (of: JobState) => this.jobs.filter(({ state }) => state === of).length;
    return {
      inQueue: count("IN_QUEUE"),
      delayed: count("DELAYED"),
      inProgress: count("IN_PROGRESS"),
      ...this.#ever,
    };
  }

  #next(): number {
    return Math.max(-1, ...this.jobs.map(({ seq }) => seq)) + 1;
  }

  #move(job: ModelJob, event: JobEvent, now: number): boolean {
    const next = jobMove(job.state, event);
    if (next === null) return false;
    job.state = next;
    job.forgetAt = now + KEEP_MS;
    if (next === "COMPLETED") this.#ever.completed++;
    if (next === "FAILED" || next === "TIMED_OUT") this.#ever.failed++;
    return true;
  }

  /** The attempt of a worker is over without its result. */
  #leave(job: ModelJob, worker: string): void {
    job.earlier.set(worker, job.chunks);
    job.reported.delete(worker);
    job.left = job.attempts;
  }
}

function live(state: JobState): boolean {
  return state === "IN_QUEUE" || state === "DELAYED" || state === "IN_PROGRESS";
}
