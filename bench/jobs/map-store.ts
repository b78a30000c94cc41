// The store of the floor: Freehold's verbs on jobs, recognised by what they are and answered from
// maps; the wake-ups stay. Whatever is asked rarely (keys, workers) goes to a real store in memory.
import { type ClaimedJob, claimJobs, type Standing } from "../../src/store/job/claim.ts";
import { findJob } from "../../src/store/job/find.ts";
import { finishHeld, type Result } from "../../src/store/job/finish.ts";
import type { JobRow } from "../../src/store/job/row.ts";
import { type NewJob, submitJob } from "../../src/store/job/submit.ts";
import type { KeptText } from "../../src/store/payload.ts";
import type { Verb } from "../../src/store/statement.ts";
import type { Store } from "../../src/store/store.ts";
import { topic } from "../../src/store/wakes.ts";
import { Fifo } from "./fifo.ts";

interface KeptJob {
  row: JobRow;
  input: string;
  extras: string | null;
}

type Answer = (...args: never[]) => unknown;

export class MapStore implements Store {
  readonly dialect = "maps in memory";
  readonly alone = true;
  readonly version = null;
  readonly wakes;
  readonly turns;
  readonly #rest: Store;
  readonly #answers: Map<unknown, Answer>;
  #jobs = new Map<string, KeptJob>();
  #queued = new Map<string, Fifo<KeptJob>>();
  #seq = 0;

  constructor(rest: Store) {
    this.#rest = rest;
    this.wakes = rest.wakes;
    this.turns = rest.turns;
    this.#answers = new Map<unknown, Answer>([
      [submitJob, this.#submit.bind(this)],
      [claimJobs, this.#claim.bind(this)],
      [finishHeld, this.#finish.bind(this)],
      [findJob, (id: string) => this.#jobs.get(id)?.row],
    ]);
  }

  async write<Args extends unknown[], Result>(
    verb: (...args: Args) => Verb<Result>,
    ...args: Args
  ): Promise<Result> {
    const answer = this.#answers.get(verb);
    if (!answer) return this.#rest.write(verb, ...args);
    return answer(...(args as unknown as never[])) as Result;
  }

  async read<Args extends unknown[], Result>(
    verb: (...args: Args) => Verb<Result>,
    ...args: Args
  ): Promise<Result> {
    const answer = this.#answers.get(verb);
    if (!answer) return this.#rest.read(verb, ...args);
    return answer(...(args as unknown as never[])) as Result;
  }

  time(): Promise<number | null> {
    return this.#rest.time();
  }

  close(): Promise<void> {
    return this.#rest.close();
  }

  #submit(job: NewJob): void {
    const kept = { row: rowOf(job, ++this.#seq), input: inline(job.input), extras: job.extras };
    this.#jobs.set(job.id, kept);
    let queue = this.#queued.get(job.endpointId);
    if (!queue) {
      queue = new Fifo();
      this.#queued.set(job.endpointId, queue);
    }
    queue.push(kept);
    this.wakes.ringSome(topic.queue(job.endpointId), 1);
  }

  #claim(
    endpointId: string,
    workerId: string,
    most: number,
    now: number,
    leaseMs: number,
  ): ClaimedJob[] | Standing {
    const claimed: ClaimedJob[] = [];
    const queue = this.#queued.get(endpointId);
    while (claimed.length < most) {
      const job = queue?.shift();
      if (!job) break;
      const { row, input, extras } = job;
      row.state = "IN_PROGRESS";
      row.worker_id = workerId;
      row.taken_at = now;
      row.lease_until = now + leaseMs;
      row.attempts++;
      const { seq, id, webhook, retries } = row;
      claimed.push({ seq, id, webhook, retries, extras, input: { inline: input, payload: null } });
    }
    return claimed.length > 0 ? claimed : "none_waiting";
  }

  #finish(result: Result): boolean {
    const row = this.#jobs.get(result.jobId)?.row;
    if (row?.worker_id !== result.workerId || row.state !== "IN_PROGRESS") return false;
    row.state = result.error === null ? "COMPLETED" : "FAILED";
    row.finished_at = result.now;
    row.output = result.output && inline(result.output);
    row.error = result.error;
    this.wakes.ring(topic.job(row.id));
    return true;
  }
}

function inline(text: KeptText): string {
  if ("inline" in text) return text.inline;
  throw new Error("the floor keeps no long texts");
}

function rowOf(job: NewJob, seq: number): JobRow {
  return {
    seq,
    id: job.id,
    endpoint_id: job.endpointId,
    state: "IN_QUEUE",
    sync: job.sync ? 1 : 0,
    priority: job.priority,
    low_priority: job.lowPriority ? 1 : 0,
    submitted_at: job.now,
    queued_at: job.now,
    ttl_at: job.now + job.ttlMs,
    execution_ms: job.executionMs,
    keep_ms: job.keepMs,
    forget_at: null,
    webhook: job.webhook,
    worker_id: null,
    taken_at: null,
    lease_until: null,
    attempts: 0,
    retries: 0,
    finished_at: null,
    output: null,
    output_payload: null,
    error: null,
    chunks: 0,
    drained: 0,
  };
}
