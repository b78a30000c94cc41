// BullMQ on Redis as a queue, used as its documentation advises for workers that fetch jobs manually. Of several ways it
// uses the fastest one measured.
import { Queue as BullQueue, type Job, QueueEvents, Worker } from "bullmq";
import { HeldTakes } from "./held-takes.ts";
import type { Hold, JobResult, JobView, Queue, SubmittedJob, TakenJob } from "./queue.ts";

const RETENTION_S = 1_800;
const LEASE_MS = 60_000;

interface Data {
  input: Record<string, unknown>;
  webhook?: string;
}

export const connect = (url: string) => BullMqQueue.connect(url);

class BullMqQueue implements Queue {
  #queue: BullQueue<Data>;
  #worker: Worker<Data>;
  #events: QueueEvents;
  #held = new HeldTakes<Job<Data>>((block) => this.#next(block));
  /** Jobs taken through this process, so that finishing one needs no second read from Redis. */
  #taken = new Map<string, { job: Job<Data>; workerId: string }>();
  #token = "bench";

  private constructor(url: string) {
    const connection = { url, maxRetriesPerRequest: null };
    this.#queue = new BullQueue<Data>("jobs", {
      connection,
      defaultJobOptions: {
        removeOnComplete: { age: RETENTION_S },
        removeOnFail: { age: RETENTION_S },
      },
    });
    this.#worker = new Worker<Data>("jobs", null, {
      connection,
      lockDuration: LEASE_MS,
      autorun: false,
    });
    this.#events = new QueueEvents("jobs", { connection });
    this.#events.setMaxListeners(0);
    this.#queue.setMaxListeners(0);
  }

  static async connect(url: string): Promise<BullMqQueue> {
    const queue = new BullMqQueue(url);
    await Promise.all([
      queue.#queue.waitUntilReady(),
      queue.#worker.waitUntilReady(),
      queue.#events.waitUntilReady(),
    ]);
    await queue.#worker.startStalledCheckTimer();
    return queue;
  }

  async submit(id: string, job: SubmittedJob): Promise<void> {
    await this.#queue.add("job", job, { jobId: id });
  }

  async take(workerId: string, hold: Hold): Promise<TakenJob | undefined> {
    const job = await this.#held.take(hold);
    if (!job) return undefined;
    this.#taken.set(job.id!, { job, workerId });
    return { id: job.id!, input: job.data.input };
  }

  async finish(id: string, { output, error }: JobResult): Promise<boolean> {
    const job = this.#taken.get(id)?.job ?? (await this.#queue.getJob(id));
    if (!job) return false;
    this.#taken.delete(id);
    if (error === undefined) await job.moveToCompleted(output, this.#token, false);
    else await job.moveToFailed(new Error(error), this.#token, false);
    return true;
  }

  async view(id: string): Promise<JobView | undefined> {
    const job = await this.#queue.getJob(id);
    return job && viewOf(job);
  }

  async submitAndWait(
    id: string,
    submitted: SubmittedJob,
    holdMs: number,
  ): Promise<JobView | undefined> {
    const job = await this.#queue.add("job", submitted, { jobId: id });
    try {
      const output = await job.waitUntilFinished(this.#events, holdMs);
      return { id, status: "COMPLETED", output };
    } catch {
      return this.view(id);
    }
  }

  #next(block: boolean): Promise<Job<Data> | undefined> {
    return this.#worker.getNextJob(this.#token, { block });
  }
}

function viewOf(job: Job<Data>): JobView {
  const view: JobView = { id: job.id!, status: "IN_QUEUE" };
  if (job.processedOn === undefined) return view;
  view.delayTime = job.processedOn - job.timestamp;
  view.status = "IN_PROGRESS";
  if (job.finishedOn === undefined) return view;
  view.executionTime = job.finishedOn - job.processedOn;
  view.status = job.failedReason === undefined ? "COMPLETED" : "FAILED";
  if (view.status === "COMPLETED") view.output = job.returnvalue;
  else view.error = job.failedReason;
  return view;
}
