// The worker: takes jobs while it has free slots, polls for jobs to stop, and pings. After a stop it
// takes no more jobs, lets the running ones finish, and ends.

import { setMaxListeners } from "node:events";
import type { Environment } from "./environment.ts";
import type { Job, ServeOptions } from "./handler.ts";
import { logFor } from "./log.ts";
import { readAddresses } from "./protocol/addresses.ts";
import { httpDelivery, type WorkerConnection } from "./protocol/delivery.ts";
import { Http } from "./protocol/http.ts";
import { sendPings } from "./protocol/pings.ts";
import { Poll } from "./protocol/poll.ts";
import { startHeader } from "./protocol/start-header.ts";
import { readJobs, readJobsToStop } from "./protocol/take-reply.ts";
import { runJob } from "./run-job.ts";

/** How often a concurrency function is called while there is no free slot. */
const CONCURRENCY_POLL_MS = 1_000;

export class WorkerProcess<Input, Output> {
  readonly #options: ServeOptions<Input, Output>;
  readonly #connection: WorkerConnection;
  readonly #jobs = new Map<string, AbortController>();
  readonly #stopTaking = new AbortController();
  readonly #abortJobs = new AbortController();
  readonly #ended = new AbortController();
  #concurrency = 1;
  #stopping = false;
  /** Wakes the code that waits for a job to end or for the worker to stop. */
  #changed = () => {};

  /** Throws if the environment is incomplete. */
  constructor(environment: Environment, options: ServeOptions<Input, Output>) {
    this.#options = options;
    // Every result that waits for a retry adds a listener.
    setMaxListeners(0, this.#abortJobs.signal);
    this.#connection = {
      environment,
      addresses: readAddresses(environment.env),
      http: new Http(environment.env.RUNPOD_AI_API_KEY, startHeader(environment)),
      log: logFor(environment, null),
    };
  }

  /** Resolves once the worker is stopped and every job of it is finished and posted. */
  async run(): Promise<void> {
    const { http, log } = this.#connection;
    log.info(`Worker ${this.#connection.addresses.workerId} takes jobs.`);
    const pinging = sendPings(this.#connection, () => [...this.#jobs.keys()], this.#ended.signal);
    const watching = this.#watchStops();
    await this.#takeJobs();
    while (this.#jobs.size > 0) await this.#change();
    this.#ended.abort();
    await Promise.all([pinging, watching]);
    http.close();
    log.info("Worker ended.");
  }

  /** Takes no more jobs. Running jobs finish, within `drainMs` if it is set. */
  stop(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#connection.log.info(`Stopping; ${this.#jobs.size} jobs are finishing.`);
    // A job that has reached this machine counts as accepted: the event loop gets a pass to read it.
    setImmediate(() => setImmediate(() => this.#stopTaking.abort()));
    this.#changed();
    const { drainMs } = this.#options;
    if (drainMs === undefined) return;
    const { environment } = this.#connection;
    void environment.sleep(drainMs, this.#ended.signal).then(() => this.abortJobs());
  }

  /** Aborts the signal of every running job, and stops retrying posts. */
  abortJobs(): void {
    this.#abortJobs.abort();
    for (const controller of this.#jobs.values()) {
      controller.abort(new DOMException("The worker is shutting down.", "AbortError"));
    }
  }

  async #takeJobs(): Promise<void> {
    const { addresses } = this.#connection;
    const poll = new Poll("job-take", this.#connection);
    while (!this.#stopping) {
      const freeSlots = this.#slots() - this.#jobs.size;
      if (freeSlots < 1) {
        await this.#untilFreeSlot();
        continue;
      }
      const address = addresses.take(freeSlots, this.#jobs.size > 0);
      await poll.run(address, this.#stopTaking.signal, (text) => this.#accept(text));
    }
  }

  /** Starts the jobs of a take's answer; true if at least one was not running already. */
  #accept(text: string): boolean {
    const { log } = this.#connection;
    try {
      const { jobs, invalidElements: unknownNames } = readJobs(text);
      for (const unknownName of unknownNames) log.error(`job-take: not a job: ${unknownName}`);
      const previousCount = this.#jobs.size;
      for (const job of jobs) if (!this.#jobs.has(job.id)) void this.#start(job as Job<Input>);
      return this.#jobs.size > previousCount;
    } catch (error) {
      log.error(`job-take: ${error}`);
      return false;
    }
  }

  async #start(job: Job<Input>): Promise<void> {
    const { environment, addresses } = this.#connection;
    const controller = new AbortController();
    const { signal } = controller;
    this.#jobs.set(job.id, controller);
    if (this.#abortJobs.signal.aborted) this.abortJobs();
    const log = logFor(environment, job.id);
    // These two lines tell which job the lines between them belong to.
    log.info("Started.");
    await runJob(job, this.#options.handler, this.#options, {
      delivery: httpDelivery({ ...this.#connection, log }, job.id, {
        stopped: signal,
        abortJobs: this.#abortJobs.signal,
      }),
      signal,
      log,
      origin: {
        hostname: environment.env.RUNPOD_POD_HOSTNAME || "unknown",
        workerId: addresses.workerId,
      },
    });
    log.info("Finished.");
    this.#jobs.delete(job.id);
    if (this.#options.refreshWorker) this.stop();
    this.#changed();
  }

  async #watchStops(): Promise<void> {
    const { addresses, log } = this.#connection;
    if (!addresses.stop) {
      log.warn("RUNPOD_WEBHOOK_GET_JOB has no /job-take/: single jobs cannot be cancelled");
      return;
    }
    const poll = new Poll("job-stop", this.#connection);
    while (!this.#ended.signal.aborted) {
      await poll.run(addresses.stop, this.#ended.signal, (text) => this.#stopJobs(text));
    }
  }

  /** True if at least one of the jobs was still running; servers repeat an id until the job has ended. */
  #stopJobs(text: string): boolean {
    const running = readJobsToStop(text)
      .map((id) => this.#jobs.get(id))
      .filter((controller) => controller !== undefined)
      .filter(({ signal }) => !signal.aborted);
    for (const controller of running) {
      controller.abort(new DOMException("The job was stopped.", "AbortError"));
    }
    return running.length > 0;
  }

  #slots(): number {
    const { concurrency = 1 } = this.#options;
    try {
      const slots = typeof concurrency === "number" ? concurrency : concurrency(this.#concurrency);
      this.#concurrency = Math.max(1, Math.trunc(slots) || 1);
    } catch (error) {
      this.#connection.log.error(`concurrency stays ${this.#concurrency}: ${error}`);
    }
    return this.#concurrency;
  }

  #untilFreeSlot(): Promise<unknown> {
    if (typeof this.#options.concurrency !== "function") return this.#change();
    const done = new AbortController();
    const change = this.#change().then(() => done.abort());
    return Promise.race([
      change,
      this.#connection.environment.sleep(CONCURRENCY_POLL_MS, done.signal),
    ]);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = resolve;
    });
  }
}
