// The worker: takes jobs while it has room, watches the stop channel, pings, and when it is told to
// stop takes nothing more, lets what runs finish, and ends.

import { setMaxListeners } from "node:events";
import { readAddresses } from "./addresses.ts";
import { deliverOver, type Route } from "./delivery.ts";
import type { Job, ServeOptions } from "./handler.ts";
import { Http } from "./http.ts";
import { logFor } from "./log.ts";
import { ping } from "./ping.ts";
import { Poll } from "./poll.ts";
import { runJob } from "./run-job.ts";
import { readJobs, readJobsToStop } from "./take-reply.ts";
import type { World } from "./world.ts";

/** How often a concurrency function is asked again while there is no room. */
const REASK_MS = 1_000;

export class Worker<Input, Output> {
  readonly #options: ServeOptions<Input, Output>;
  readonly #route: Route;
  readonly #held = new Map<string, AbortController>();
  readonly #polls = new AbortController();
  readonly #hurry = new AbortController();
  readonly #over = new AbortController();
  #concurrency = 1;
  #stopping = false;
  /** Wakes whoever waits for a job to end or for the worker to stop. */
  #changed = () => {};

  /** Throws where the environment holds half of what a worker needs. */
  constructor(world: World, options: ServeOptions<Input, Output>) {
    this.#options = options;
    // Every result that waits to be posted again listens here.
    setMaxListeners(0, this.#hurry.signal);
    this.#route = {
      world,
      addresses: readAddresses(world.env),
      http: new Http(world.env.RUNPOD_AI_API_KEY),
      log: logFor(world, null),
    };
  }

  /** Resolves once the worker was stopped and every job it held is finished and posted. */
  async run(): Promise<void> {
    const { http, log } = this.#route;
    log.info(`Worker ${this.#route.addresses.workerId} takes jobs.`);
    const pinging = ping(this.#route, () => [...this.#held.keys()], this.#over.signal);
    const watching = this.#watchStops();
    await this.#takeJobs();
    while (this.#held.size > 0) await this.#change();
    this.#over.abort();
    await Promise.all([pinging, watching]);
    http.close();
    log.info("Worker ended.");
  }

  /** Takes no further job. Those that run finish, within `drainMs` where that is set. */
  stop(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#route.log.info(`Stopping; ${this.#held.size} jobs are finishing.`);
    // A job that has reached this machine counts as accepted: the loop turns once more to read it.
    setImmediate(() => setImmediate(() => this.#polls.abort()));
    this.#changed();
    const { drainMs } = this.#options;
    if (drainMs === undefined) return;
    const { world } = this.#route;
    void world.sleep(drainMs, this.#over.signal).then(() => this.hurry());
  }

  /** Aborts the signal of every job that runs, and waits for the server no longer. */
  hurry(): void {
    this.#hurry.abort();
    for (const controller of this.#held.values()) {
      controller.abort(new DOMException("The worker is shutting down.", "AbortError"));
    }
  }

  async #takeJobs(): Promise<void> {
    const { addresses } = this.#route;
    const poll = new Poll("job-take", this.#route);
    while (!this.#stopping) {
      const room = this.#slots() - this.#held.size;
      if (room < 1) {
        await this.#untilRoom();
        continue;
      }
      const address = addresses.take(room, this.#held.size > 0);
      await poll.ask(address, this.#polls.signal, (text) => this.#accept(text));
    }
  }

  /** Starts the jobs in a take's answer; true if there was one that is not running here already. */
  #accept(text: string): boolean {
    const { log } = this.#route;
    try {
      const { jobs, strangers } = readJobs(text);
      for (const stranger of strangers) log.error(`job-take: not a job: ${stranger}`);
      const before = this.#held.size;
      for (const job of jobs) if (!this.#held.has(job.id)) void this.#start(job as Job<Input>);
      return this.#held.size > before;
    } catch (error) {
      log.error(`job-take: ${error}`);
      return false;
    }
  }

  async #start(job: Job<Input>): Promise<void> {
    const { world, addresses } = this.#route;
    const controller = new AbortController();
    const { signal } = controller;
    this.#held.set(job.id, controller);
    if (this.#hurry.signal.aborted) this.hurry();
    const log = logFor(world, job.id);
    await runJob(job, this.#options.handler, this.#options, {
      delivery: deliverOver({ ...this.#route, log }, job.id, {
        stopped: signal,
        hurry: this.#hurry.signal,
      }),
      signal,
      log,
      origin: {
        hostname: world.env.RUNPOD_POD_HOSTNAME || "unknown",
        workerId: addresses.workerId,
      },
    });
    this.#held.delete(job.id);
    if (this.#options.refreshWorker) this.stop();
    this.#changed();
  }

  async #watchStops(): Promise<void> {
    const { addresses, log } = this.#route;
    if (!addresses.stop) {
      log.warn("RUNPOD_WEBHOOK_GET_JOB has no /job-take/: jobs cannot be cancelled one by one");
      return;
    }
    const poll = new Poll("job-stop", this.#route);
    while (!this.#over.signal.aborted) {
      await poll.ask(addresses.stop, this.#over.signal, (text) => this.#stopJobs(text));
    }
  }

  /** True if any of the ids was running on; servers repeat an id until the job is gone. */
  #stopJobs(text: string): boolean {
    const running = readJobsToStop(text)
      .map((id) => this.#held.get(id))
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
      const asked = typeof concurrency === "number" ? concurrency : concurrency(this.#concurrency);
      this.#concurrency = Math.max(1, Math.trunc(asked) || 1);
    } catch (error) {
      this.#route.log.error(`concurrency stays ${this.#concurrency}: ${error}`);
    }
    return this.#concurrency;
  }

  #untilRoom(): Promise<unknown> {
    if (typeof this.#options.concurrency !== "function") return this.#change();
    const done = new AbortController();
    const change = this.#change().then(() => done.abort());
    return Promise.race([change, this.#route.world.sleep(REASK_MS, done.signal)]);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = resolve;
    });
  }
}
