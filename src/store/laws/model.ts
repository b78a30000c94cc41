// The queue as a list in memory, so plain that it can be believed. The store is held against it.

import { type JobEvent, type JobState, jobMove } from "../../domain/job/moves.ts";
import { KEEP_MS, TTL_MS } from "./stage.ts";

export interface ModelJob {
  id: string;
  /** The order of submission. */
  seq: number;
  priority: number;
  state: JobState;
  holder: string | null;
  /** Everybody it was taken back from, with the chunks of what each was given last. */
  earlier: Map<string, number>;
  attempts: number;
  retries: number;
  chunks: number;
  ttlMs: number;
  ttlAt: number;
  forgetAt: number;
}

export class Model {
  readonly jobs: ModelJob[] = [];

  /** Another one in the same state. */
  copy(): Model {
    const other = new Model();
    other.jobs.push(...this.jobs.map((job) => ({ ...job, earlier: new Map(job.earlier) })));
    return other;
  }

  /** `seq` where something else than the order of calls says in which order jobs were submitted. */
  submit(id: string, priority: number, now: number, ttlMs = TTL_MS, seq = this.#next()): void {
    const counts = { attempts: 0, retries: 0, chunks: 0 };
    const times = { ttlMs, ttlAt: now + ttlMs, forgetAt: 0 };
    const nobody = { holder: null, earlier: new Map<string, number>() };
    this.jobs.push({ id, seq, priority, state: "IN_QUEUE", ...nobody, ...counts, ...times });
  }

  /** The order of dispatch: priority, then submission. */
  queue(): ModelJob[] {
    const queued = this.jobs.filter(({ state }) => state === "IN_QUEUE");
    return queued.sort((a, b) => b.priority - a.priority || a.seq - b.seq);
  }

  /** Passes over those that are `busy`: somebody else holds them this very moment. */
  claim(worker: string, most: number, now: number, busy = (_id: string) => false): string[] {
    const ready = this.queue().filter(({ id, ttlAt }) => ttlAt > now && !busy(id));
    return ready.slice(0, most).map((job) => {
      job.state = "IN_PROGRESS";
      job.holder = worker;
      job.attempts++;
      return job.id;
    });
  }

  finish(id: string, worker: string, failed: boolean, now: number): string {
    const job = this.find(id);
    if (!job || (job.holder !== worker && !job.earlier.has(worker))) return "unknown";
    const holder = job.state === "IN_PROGRESS" ? job.holder : null;
    if (!this.#move(job, failed ? "fail" : "complete", now)) return "late";
    if (job.holder !== worker) {
      job.chunks = job.earlier.get(worker)!;
      if (holder !== null) job.earlier.set(holder, 0);
      for (const each of job.earlier.keys()) job.earlier.set(each, 0);
    }
    job.holder = worker;
    return "recorded";
  }

  /** By whoever holds it; nothing happens where that is somebody else. */
  finishHeld(id: string, worker: string, failed: boolean, now: number): boolean {
    const job = this.find(id);
    if (job?.state !== "IN_PROGRESS" || job.holder !== worker) return false;
    return this.finish(id, worker, failed, now) === "recorded";
  }

  stream(id: string, worker: string): string {
    const job = this.find(id);
    if (!job || (job.holder !== worker && !job.earlier.has(worker))) return "unknown";
    if (!live(job.state)) return "late";
    if (job.holder === worker) job.chunks++;
    else job.earlier.set(worker, job.earlier.get(worker)! + 1);
    return "recorded";
  }

  end(id: string, event: JobEvent, now: number): JobState | null {
    const job = this.find(id);
    if (job) this.#move(job, event, now);
    return job?.state ?? null;
  }

  requeue(id: string, event: "lose" | "giveBack"): boolean {
    const job = this.find(id);
    if (!job || jobMove(job.state, event) === null) return false;
    job.state = "IN_QUEUE";
    job.earlier.set(job.holder!, job.chunks);
    job.holder = null;
    job.chunks = 0;
    if (event === "lose") job.retries++;
    return true;
  }

  retry(id: string, now: number): boolean {
    const job = this.find(id);
    if (!job || jobMove(job.state, "retry") === null) return false;
    Object.assign(job, { state: "IN_QUEUE", holder: null, chunks: 0, retries: 0 });
    for (const each of job.earlier.keys()) job.earlier.set(each, 0);
    job.ttlAt = now + job.ttlMs;
    return true;
  }

  purge(now: number): number {
    const queued = this.queue();
    for (const job of queued) this.#move(job, "purge", now);
    return queued.length;
  }

  expire(now: number): void {
    for (const job of this.queue()) if (job.ttlAt <= now) this.#move(job, "expire", now);
  }

  sweep(now: number): void {
    const kept = this.jobs.filter(({ state, forgetAt }) => live(state) || forgetAt > now);
    this.jobs.splice(0, this.jobs.length, ...kept);
  }

  find(id: string): ModelJob | undefined {
    return this.jobs.find((job) => job.id === id);
  }

  counts(): Record<string, number> {
    const count = (...states: JobState[]) =>
      this.jobs.filter(({ state }) => states.includes(state)).length;
    return {
      in_queue: count("IN_QUEUE"),
      in_progress: count("IN_PROGRESS"),
      completed: count("COMPLETED"),
      failed: count("FAILED", "TIMED_OUT"),
      retried: this.jobs.reduce((sum, { retries }) => sum + retries, 0),
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
    return true;
  }
}

function live(state: JobState): boolean {
  return state === "IN_QUEUE" || state === "IN_PROGRESS";
}
