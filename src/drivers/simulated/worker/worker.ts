// A worker that exists only in memory. It takes jobs through the worker protocol, follows the
// driver's clock, and behaves well or badly as configured.

import { counted } from "../../../base/text/counted.ts";
import type { Observation, Usage, Workload } from "../../driver.ts";
import { type Behavior, setsBehavior } from "../rules/behavior.ts";
import { runJob } from "./job.ts";
import { SimulatedPage } from "./page.ts";
import { jobsToStop, type OfferedJob, offeredJobs } from "./poll-reply.ts";
import { type WorkerRoutes, workerRoutes } from "./routes.ts";
import { WorkerRuntime, type WorkerRuntimeDeps } from "./runtime.ts";
import type { Reply } from "./transport.ts";

/** A command to a running worker: new behavior from now on, or its end. */
export interface WorkerControl extends Partial<Behavior> {
  exitNow?: number;
  killNow?: string;
}

const SIMULATED_WORKER =
  "simulated: the image does not run, and each job is answered with its input";
const SET_ANSWER =
  "simulated: the image does not run, and each job is answered as freehold.simulate.json says";
const OPENAI_SERVER =
  "simulated: the image does not run, and requests in OpenAI's form get a simulated text";
const SIMULATED_POD = "simulated: the image does not run, and each HTTP port answers with a page";

const MIN_PING_MS = 1000;
const DEFAULT_PING_MS = 10_000;
/** How long the common worker library waits for the report of a failed self-test to arrive. */
const UNHEALTHY_REPORT_MS = 2000;

export class SimulatedWorker {
  readonly page: SimulatedPage;
  readonly #runtime: WorkerRuntime;
  readonly #routes: WorkerRoutes | null;
  readonly #pingMs: number;
  /** Aborts at SIGTERM and at the end: no more jobs are taken. */
  readonly #stopTaking = new AbortController();
  readonly #jobs = new Map<string, AbortController>();
  #isStopping = false;
  #takenCount = 0;
  #finishedCount = 0;

  constructor(workload: Workload, behavior: Behavior, deps: WorkerRuntimeDeps) {
    this.#runtime = new WorkerRuntime(workload, behavior, deps);
    this.page = new SimulatedPage(workload.id, workload.httpPorts ?? [], this.#runtime);
    const claimedId = () => this.#runtime.behavior.claimId;
    this.#routes = workerRoutes(workload.env, workload.id, claimedId);
    const pingMs = Number(workload.env.RUNPOD_PING_INTERVAL) || DEFAULT_PING_MS;
    this.#pingMs = Math.max(MIN_PING_MS, pingMs);
    this.#runtime.signal.addEventListener("abort", () => this.#abortJobs());
    this.#runtime.log(`started with image ${workload.image || "(none)"}`);
    if (!setsBehavior([...workload.entrypoint, ...workload.command])) {
      const isSet = deps.rule !== null && (deps.rule.output !== null || deps.rule.answers !== null);
      const answer = isSet ? SET_ANSWER : SIMULATED_WORKER;
      const text = this.#routes ? answer : SIMULATED_POD;
      this.#runtime.log(this.#runtime.openai ? OPENAI_SERVER : text);
    }
    void this.#run(deps.ready);
  }

  get observation(): Observation {
    return this.#runtime.observation;
  }
  /** Whether SIGTERM was sent, even if the worker ignores it. */
  get isStopping(): boolean {
    return this.#isStopping;
  }
  get ended(): Promise<void> {
    return this.#runtime.ended;
  }

  control({ exitNow, killNow, ...changes }: WorkerControl): void {
    this.#runtime.changeBehavior(changes);
    if (killNow !== undefined) this.kill(killNow);
    if (exitNow !== undefined) this.#runtime.end(exitNow, null);
  }

  /** SIGTERM: takes no more jobs, finishes the jobs that it holds, ends with 0. */
  terminate(): void {
    this.#isStopping = true;
    if (this.#runtime.behavior.ignoreStop) {
      this.#runtime.log("SIGTERM ignored");
    } else if (!this.#stopTaking.signal.aborted) {
      const jobs = this.#jobs.size;
      this.#runtime.log(jobs === 0 ? "SIGTERM" : `SIGTERM, with ${counted(jobs, "job")} to finish`);
      this.#stopTaking.abort();
      this.#runtime.wake();
      void this.#drain();
    }
  }

  get usage(): Usage | null {
    return this.#runtime.usage;
  }

  kill(signal: string): void {
    this.#runtime.end(null, signal);
  }

  /** The driver is closed: all work stops, and no end is reported. */
  shutDown(): void {
    this.#runtime.shutDown();
  }

  #abortJobs(): void {
    this.#stopTaking.abort();
    for (const stop of this.#jobs.values()) stop.abort();
  }

  async #run(ready: Promise<boolean> | undefined): Promise<void> {
    const runtime = this.#runtime;
    if (ready && !(await ready)) return;
    const { startMs, exitAfterMs, crashAtStart, unhealthy } = runtime.behavior;
    if (exitAfterMs > 0) void runtime.pause(exitAfterMs).then(() => this.#crash());
    await runtime.pause(startMs);
    if (unhealthy) await this.#reportUnhealthy();
    if (unhealthy || crashAtStart) return this.#crash();
    if (!this.#routes) return;
    void this.#takeJobs(this.#routes);
    void this.#stopJobs(this.#routes);
    void this.#ping(this.#routes);
  }

  /** A fault of the simulation ends this worker, and nothing else. */
  #fail(error: Error): void {
    this.#runtime.log(`the simulation failed: ${error.message}`);
    this.#runtime.end(1, null);
  }

  #crash(): void {
    this.#runtime.end(this.#runtime.behavior.exitCode, null);
  }

  async #drain(): Promise<void> {
    await this.#runtime.until(() => this.#jobs.size === 0);
    await this.#runtime.pause(this.#runtime.behavior.stopMs);
    this.#runtime.end(0, null);
  }

  async #takeJobs(routes: WorkerRoutes): Promise<void> {
    const runtime = this.#runtime;
    const { signal } = this.#stopTaking;
    const backOff = new BackOff();
    const free = () => runtime.behavior.concurrency - this.#jobs.size;
    for (;;) {
      await runtime.until(() => signal.aborted || (free() > 0 && !runtime.behavior.silent));
      if (signal.aborted) return;
      const startedTicks = runtime.ticks();
      const reply = await runtime.get(routes.take(free(), this.#jobs.size > 0), signal);
      await runtime.untilNotSilent();
      if (signal.aborted) return;
      const { jobs, unreadable } = offeredJobs(reply);
      if (unreadable > 0) runtime.log(`got ${unreadable} jobs without an id or an input`);
      if (!reply || reply.status >= 400) runtime.log(`no job: ${reply?.status ?? "no answer"}`);
      for (const job of jobs) void this.#work(routes, job).catch((error) => this.#fail(error));
      const delayMs = backOff.delayMs(reply, runtime.ticks() - startedTicks);
      if (jobs.length === 0) await runtime.rest(delayMs, signal);
    }
  }

  async #stopJobs(routes: WorkerRoutes): Promise<void> {
    const runtime = this.#runtime;
    const backOff = new BackOff();
    while (!runtime.hasEnded) {
      await runtime.until(() => !runtime.behavior.ignoreCancel && !runtime.behavior.silent);
      const startedTicks = runtime.ticks();
      const reply = await runtime.get(routes.stop());
      await runtime.untilNotSilent();
      for (const id of jobsToStop(reply)) this.#jobs.get(id)?.abort();
      await runtime.rest(backOff.delayMs(reply, runtime.ticks() - startedTicks));
    }
  }

  async #ping(routes: WorkerRoutes): Promise<void> {
    const runtime = this.#runtime;
    for (; !runtime.hasEnded; await runtime.rest(this.#pingMs)) {
      await runtime.until(() => !runtime.behavior.noPings && !runtime.behavior.silent);
      const ids = [...this.#jobs.keys()].join(",");
      const jobs: Record<string, string> = ids ? { job_id: ids } : {};
      const url = routes.ping({ ...jobs, runpod_version: runtime.behavior.sdkVersion });
      if (!url) return runtime.log("no address to ping");
      void runtime.get(url);
    }
  }

  async #reportUnhealthy(): Promise<void> {
    const failure = { status: "unhealthy", check: "simulated_check", reason: "configured to fail" };
    const runpod_version = this.#runtime.behavior.sdkVersion;
    const url = this.#routes?.ping({ ...failure, runpod_version });
    this.#runtime.log("the self-test failed");
    if (url) await this.#runtime.wait(UNHEALTHY_REPORT_MS, () => this.#runtime.get(url));
  }

  async #work(routes: WorkerRoutes, { id, input }: OfferedJob): Promise<void> {
    const runtime = this.#runtime;
    const number = ++this.#takenCount;
    const stop = new AbortController();
    this.#jobs.set(id, stop);
    runtime.log(`took job ${id}`);
    const { silentAfter } = runtime.behavior;
    if (silentAfter !== null && number > silentAfter) runtime.changeBehavior({ silent: true });
    const isFinished = await runJob({
      runtime,
      routes,
      job: { id, input, number },
      stopped: stop.signal,
    });
    if (runtime.hasEnded) return;
    this.#jobs.delete(id);
    runtime.log(isFinished ? `finished job ${id}` : `stopped job ${id}`);
    if (isFinished) this.#finishedCount++;
    const { crashAfter } = runtime.behavior;
    if (crashAfter > 0 && this.#finishedCount >= crashAfter) return this.#crash();
    runtime.wake();
  }
}

/** The shortest time between two polls when the server answers at once with no job. */
const MIN_EMPTY_POLL_MS = 1000;
const TOO_MANY_MS = 5000;
const FIRST_FAILURE_MS = 500;
const MAX_FAILURE_MS = 30_000;

/** Delays polls, so that the worker never polls a server, or a virtual clock, in a tight loop. */
class BackOff {
  #failures = 0;

  /** The pause after a poll without a job that took `tookMs`. */
  delayMs(reply: Reply | null, tookMs: number): number {
    if (reply && reply.status < 400) {
      this.#failures = 0;
      return Math.max(0, MIN_EMPTY_POLL_MS - tookMs);
    }
    if (reply?.status === 429) return TOO_MANY_MS;
    const delay = Math.min(FIRST_FAILURE_MS * 2 ** this.#failures, MAX_FAILURE_MS);
    this.#failures++;
    return delay;
  }
}
