// A store over maps in memory: it answers Freehold's transactions on jobs and sends their notifications. Rare calls
// (keys, workers) go to a real store.

import type { ClaimedJob, Job, NewJob } from "../../../src/domain/job/job.ts";
import { noText, type TextToStore } from "../../../src/domain/payload.ts";
import { topic } from "../../../src/store/engine/notifier.ts";
import type { Tx } from "../../../src/store/engine/statement.ts";
import type { Store } from "../../../src/store/engine/store.ts";
import { findJob } from "../../../src/store/job/find.ts";
import { noJobReason } from "../../../src/store/worker/worker.ts";
import { claimJobs } from "../../../src/transactions/job/claim.ts";
import type { JobResult } from "../../../src/transactions/job/finish.ts";
import { finishHeldJob } from "../../../src/transactions/job/finish.ts";
import { submitJob } from "../../../src/transactions/job/submit.ts";
import { Fifo } from "./queues/fifo.ts";

interface Entry {
  job: Job;
  input: string;
  extras: string | null;
}

type Answer = (...args: never[]) => unknown;

export class MapStore implements Store {
  readonly dialect = "maps in memory";
  readonly alone = true;
  readonly isFull = false;
  readonly version = null;
  readonly notifier;
  readonly commits;
  readonly #rest: Store;
  readonly #answers: Map<unknown, Answer>;
  #jobs = new Map<string, Entry>();
  #queued = new Map<string, Fifo<Entry>>();
  #seq = 0;

  constructor(rest: Store) {
    this.#rest = rest;
    this.notifier = rest.notifier;
    this.commits = rest.commits;
    this.#answers = new Map<unknown, Answer>([
      [submitJob, this.#submit.bind(this)],
      [claimJobs, this.#claim.bind(this)],
      [noJobReason, () => "none_waiting"],
      [finishHeldJob, this.#finish.bind(this)],
      [findJob, (id: string) => this.#jobs.get(id)?.job],
    ]);
  }

  async write<Args extends unknown[], JobResult>(
    transaction: (...args: Args) => Tx<JobResult>,
    ...args: Args
  ): Promise<JobResult> {
    const answer = this.#answers.get(transaction);
    if (!answer) return this.#rest.write(transaction, ...args);
    return answer(...(args as unknown as never[])) as JobResult;
  }

  async read<Args extends unknown[], JobResult>(
    transaction: (...args: Args) => Tx<JobResult>,
    ...args: Args
  ): Promise<JobResult> {
    const answer = this.#answers.get(transaction);
    if (!answer) return this.#rest.read(transaction, ...args);
    return answer(...(args as unknown as never[])) as JobResult;
  }

  time(): Promise<number | null> {
    return this.#rest.time();
  }

  close(): Promise<void> {
    return this.#rest.close();
  }

  #submit(job: NewJob): void {
    const { input, extras } = job;
    const entry = { job: queuedJob(job, ++this.#seq), input: inline(input), extras };
    this.#jobs.set(job.id, entry);
    let queue = this.#queued.get(job.endpointId);
    if (!queue) {
      queue = new Fifo();
      this.#queued.set(job.endpointId, queue);
    }
    queue.push(entry);
    this.notifier.notifySome(topic.queue(job.endpointId), 1);
  }

  #claim(
    { endpointId, workerId }: { endpointId: string; workerId: string },
    limit: number,
    now: number,
    leaseMs: number,
  ): ClaimedJob[] {
    const claimed: ClaimedJob[] = [];
    const queue = this.#queued.get(endpointId);
    while (claimed.length < limit) {
      const entry = queue?.shift();
      if (!entry) break;
      const { job, input, extras } = entry;
      const dispatch = { workerId, takenAt: now, leaseUntil: now + leaseMs, output: noText };
      const attempts = job.attempts + 1;
      entry.job = { ...job, ...dispatch, state: "IN_PROGRESS", attempts };
      const { seq, id, webhook, retries, trace } = job;
      const { queuedAt } = job;
      const stored = { inline: input, payload: null };
      claimed.push({ seq, id, webhook, trace, attempts, retries, queuedAt, extras, input: stored });
    }
    return claimed;
  }

  #finish({ jobId, workerId, now, output: text, error }: JobResult): boolean {
    const entry = this.#jobs.get(jobId);
    const job = entry?.job;
    if (job?.state !== "IN_PROGRESS" || job.workerId !== workerId) return false;
    const output = { inline: text && inline(text), payload: null };
    const ended = {
      ...job,
      finishedAt: now,
      archivedUntil: null,
      forgetAt: now + (error === null ? job.keepMs : job.failureKeepMs),
      output,
    };
    entry!.job =
      error === null ? { ...ended, state: "COMPLETED" } : { ...ended, state: "FAILED", error };
    this.notifier.notify(topic.job(jobId));
    return true;
  }
}

function inline(text: TextToStore): string {
  if ("inline" in text) return text.inline;
  throw new Error("the floor keeps no long texts");
}

function queuedJob(job: NewJob, seq: number): Job {
  return {
    seq,
    id: job.id,
    endpointId: job.endpointId,
    state: "IN_QUEUE",
    sync: job.sync,
    priority: job.priority,
    lowPriority: job.lowPriority,
    submittedAt: job.now,
    startAt: null,
    queuedAt: job.now,
    ttlAt: job.now + job.ttlMs,
    executionMs: job.executionMs,
    keepMs: job.keepMs,
    failureKeepMs: job.failureKeepMs,
    webhook: job.webhook,
    workerId: null,
    takenAt: null,
    attempts: 0,
    retries: 0,
    retry: null,
    concurrency: null,
    rateLimit: null,
    place: seq,
    endedWorkers: 0,
    chunks: 0,
    chunksDelivered: 0,
    trace: job.trace,
    batch: null,
  };
}
