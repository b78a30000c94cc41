// A worker that exists only in memory. It takes jobs through the worker protocol as any other does,
// it lives by the clock, and it does as its behaviour says, good or bad.
import type { Sighting, Usage, Workload } from "../driver.ts";
import { BackOff } from "./back-off.ts";
import type { Behaviour } from "./behaviour.ts";
import { doJob } from "./fake-job.ts";
import { FakePage } from "./fake-page.ts";
import { jobsToStop, type OfferedJob, offeredJobs } from "./job-take.ts";
import { Life, type Surroundings } from "./life.ts";
import { type WorkerRoutes, workerRoutes } from "./worker-routes.ts";

/** What a running worker can be told: another behaviour from now on, or to end now. */
export interface Orders extends Partial<Behaviour> {
  exitNow?: number;
  killNow?: string;
}

const SHORTEST_PING_MS = 1000;
const USUAL_PING_MS = 10_000;
/** How long the common worker library waits for its self-test's bad news to arrive. */
const BAD_NEWS_MS = 2000;

export class FakeWorker {
  readonly page: FakePage;
  readonly #life: Life;
  readonly #routes: WorkerRoutes | null;
  readonly #pingMs: number;
  /** Aborts with SIGTERM and at the end: no more jobs are taken. */
  readonly #taking = new AbortController();
  readonly #held = new Map<string, AbortController>();
  #asked = false;
  #taken = 0;
  #finished = 0;

  constructor(workload: Workload, behaviour: Behaviour, around: Surroundings) {
    this.#life = new Life(workload, behaviour, around);
    this.page = new FakePage(workload.id, workload.httpPorts ?? [], this.#life);
    const claimedId = () => this.#life.behaviour.claimId;
    this.#routes = workerRoutes(workload.env, workload.id, claimedId);
    const pingMs = Number(workload.env.RUNPOD_PING_INTERVAL) || USUAL_PING_MS;
    this.#pingMs = Math.max(SHORTEST_PING_MS, pingMs);
    this.#life.signal.addEventListener("abort", () => this.#letGo());
    this.#life.say(`begun with image ${workload.image || "(none)"}`);
    void this.#live();
  }

  get sighting(): Sighting {
    return this.#life.sighting;
  }
  /** Whether SIGTERM was sent, be it heeded or not. */
  get stopping(): boolean {
    return this.#asked;
  }
  get gone(): Promise<void> {
    return this.#life.gone;
  }

  tell({ exitNow, killNow, ...changes }: Orders): void {
    this.#life.behave(changes);
    if (killNow !== undefined) this.kill(killNow);
    if (exitNow !== undefined) this.#life.end(exitNow, null);
  }

  /** SIGTERM: takes no more jobs, finishes those it holds, ends with 0. */
  terminate(): void {
    this.#asked = true;
    if (this.#life.behaviour.ignoreStop) {
      this.#life.say("SIGTERM ignored");
    } else if (!this.#taking.signal.aborted) {
      this.#life.say(`SIGTERM with ${this.#held.size} jobs held`);
      this.#taking.abort();
      this.#life.wake();
      void this.#drain();
    }
  }

  get usage(): Usage | null {
    return this.#life.usage;
  }

  kill(signal: string): void {
    this.#life.end(null, signal);
  }

  /** The driver is closed: nothing goes on, and nobody is left to see an end. */
  vanish(): void {
    this.#life.vanish();
  }

  #letGo(): void {
    this.#taking.abort();
    for (const stop of this.#held.values()) stop.abort();
  }

  async #live(): Promise<void> {
    const life = this.#life;
    const { startMs, exitAfterMs, crashAtStart, unhealthy } = life.behaviour;
    if (exitAfterMs > 0) void life.pause(exitAfterMs).then(() => this.#crash());
    await life.pause(startMs);
    if (unhealthy) await this.#reportUnhealthy();
    if (unhealthy || crashAtStart) return this.#crash();
    if (!this.#routes) return life.say("told of no address to take jobs from: idle");
    void this.#takeJobs(this.#routes);
    void this.#stopJobs(this.#routes);
    void this.#ping(this.#routes);
  }

  #crash(): void {
    this.#life.end(this.#life.behaviour.exitCode, null);
  }

  async #drain(): Promise<void> {
    await this.#life.until(() => this.#held.size === 0);
    await this.#life.pause(this.#life.behaviour.stopMs);
    this.#life.end(0, null);
  }

  async #takeJobs(routes: WorkerRoutes): Promise<void> {
    const life = this.#life;
    const { signal } = this.#taking;
    const backOff = new BackOff();
    const free = () => life.behaviour.concurrency - this.#held.size;
    for (;;) {
      await life.until(() => signal.aborted || (free() > 0 && !life.behaviour.silent));
      if (signal.aborted) return;
      const askedAt = life.now();
      const reply = await life.get(routes.take(free(), this.#held.size > 0), signal);
      await life.audible();
      if (signal.aborted) return;
      const { jobs, unreadable } = offeredJobs(reply);
      if (unreadable > 0) life.say(`got ${unreadable} jobs without an id or an input`);
      if (!reply || reply.status >= 400) life.say(`no job: ${reply?.status ?? "no answer"}`);
      for (const job of jobs) void this.#work(routes, job);
      const delayMs = backOff.delayMs(reply, life.now() - askedAt);
      if (jobs.length === 0) await life.pause(delayMs, signal);
    }
  }

  async #stopJobs(routes: WorkerRoutes): Promise<void> {
    const life = this.#life;
    const backOff = new BackOff();
    while (!life.over) {
      await life.until(() => !life.behaviour.ignoreCancel && !life.behaviour.silent);
      const askedAt = life.now();
      const reply = await life.get(routes.stop());
      await life.audible();
      for (const id of jobsToStop(reply)) this.#held.get(id)?.abort();
      await life.pause(backOff.delayMs(reply, life.now() - askedAt));
    }
  }

  async #ping(routes: WorkerRoutes): Promise<void> {
    const life = this.#life;
    for (; !life.over; await life.pause(this.#pingMs)) {
      await life.until(() => !life.behaviour.noPings && !life.behaviour.silent);
      const held = [...this.#held.keys()].join(",");
      const jobs: Record<string, string> = held ? { job_id: held } : {};
      const url = routes.ping({ ...jobs, runpod_version: life.behaviour.sdkVersion });
      if (!url) return life.say("told of no address to ping");
      void life.get(url);
    }
  }

  async #reportUnhealthy(): Promise<void> {
    const failure = { status: "unhealthy", check: "fake_check", reason: "was to fail" };
    const runpod_version = this.#life.behaviour.sdkVersion;
    const url = this.#routes?.ping({ ...failure, runpod_version });
    this.#life.say("the self-test failed");
    if (url) await Promise.race([this.#life.get(url), this.#life.pause(BAD_NEWS_MS)]);
  }

  async #work(routes: WorkerRoutes, { id, input }: OfferedJob): Promise<void> {
    const life = this.#life;
    const number = ++this.#taken;
    const stop = new AbortController();
    this.#held.set(id, stop);
    life.say(`took job ${id}`);
    const { silentAfter } = life.behaviour;
    if (silentAfter !== null && number > silentAfter) life.behave({ silent: true });
    const finished = await doJob(life, routes, { id, input, number }, stop.signal);
    if (life.over) return;
    this.#held.delete(id);
    life.say(finished ? `finished job ${id}` : `stopped job ${id}`);
    if (finished) this.#finished++;
    const { crashAfter } = life.behaviour;
    if (crashAfter > 0 && this.#finished >= crashAfter) return this.#crash();
    life.wake();
  }
}
