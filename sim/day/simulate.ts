// Simulates one endpoint through one day, event by event: real decisions, simulated workers.
// Between events the endpoint sleeps until the plan's wakeAt, so a wakeAt that is too late shows as
// waiting jobs.
import { decideBackOff, type WorkerEnd } from "../../src/domain/endpoint/crash-loop-back-off.ts";
import type { Drain, Fleet, FleetWorker, ScalePolicy } from "../../src/domain/endpoint/fleet.ts";
import { decideFleet } from "../../src/domain/endpoint/fleet-plan.ts";
import type { SimulatedJob } from "./load.ts";
import { type Seeded, seeded } from "./seeded.ts";
import { Timetable } from "./timetable.ts";

export interface Day {
  policy: ScalePolicy;
  jobs: SimulatedJob[];
  seed: number;
  /** New versions by time; the workers of a bad one end before they are ready. */
  releases?: { at: number; bad: boolean }[];
}

export interface DayRecord {
  /** The waiting time of each job in milliseconds, in the order of dispatch. */
  waitsMs: { normal: number[]; lowPriority: number[] };
  jobsDone: number;
  lives: WorkerLife[];
  /** The most concurrent workers: while all were of the current version, and during roll-outs. */
  mostAlive: { steady: number; rolling: number };
  /** The fewest workers able to take jobs, once workersMin of them were. */
  fewestReady: number;
}

interface WorkerLife {
  version: number;
  startedAt: number;
  readyAt: number | null;
  /** The end of the day for workers that are still running. */
  endedAt: number;
  drainedFor: Drain["why"] | null;
  /** How long it had been idle when it was drained. */
  idleAtDrainMs: number;
  idleMs: number;
  served: number;
}

type Worker = FleetWorker & WorkerLife & { job: SimulatedJob | null };

type Event =
  | { kind: "submit"; job: SimulatedJob }
  | { kind: "release" }
  | { kind: "ready" | "finish" | "gone" | "crash"; worker: Worker };

const endOfDay = 26 * 3_600_000;
const evidenceKept = 20;

export function simulateDay(day: Day): DayRecord {
  const endpoint = new SimulatedEndpoint(day);
  endpoint.run();
  return endpoint.record();
}

class SimulatedEndpoint {
  readonly #day: Day;
  readonly #random: Seeded;
  readonly #timetable = new Timetable<Event>();
  readonly #waiting: { normal: SimulatedJob[]; lowPriority: SimulatedJob[] };
  readonly #waitsMs = { normal: [] as number[], lowPriority: [] as number[] };
  readonly #mostAlive = { steady: 0, rolling: 0 };
  readonly #past: Worker[] = [];
  #workers: Worker[] = [];
  #ends: WorkerEnd[] = [];
  #lastServedAt: number | null = null;
  #version = 1;
  #started = 0;
  #now = 0;
  #fewestReady = Infinity;
  #wakeAt: number | null = 0;

  constructor(day: Day) {
    this.#day = day;
    this.#random = seeded(day.seed);
    this.#waiting = { normal: [], lowPriority: [] };
    for (const job of day.jobs) this.#timetable.put(job.submittedAt, { kind: "submit", job });
    for (const { at } of day.releases ?? []) this.#timetable.put(at, { kind: "release" });
  }

  run(): void {
    for (;;) {
      const at = Math.min(this.#timetable.nextAt ?? Infinity, this.#wakeAt ?? Infinity);
      if (at > endOfDay) return;
      this.#now = at;
      while (this.#timetable.nextAt === at) this.#happen(this.#timetable.take().event);
      this.#handOut();
      this.#decide();
    }
  }

  record(): DayRecord {
    for (const worker of [...this.#workers]) this.#remove(worker, endOfDay);
    return {
      waitsMs: this.#waitsMs,
      jobsDone: this.#past.reduce((sum, { served }) => sum + served, 0),
      lives: this.#past,
      mostAlive: this.#mostAlive,
      fewestReady: this.#fewestReady,
    };
  }

  #happen(event: Event): void {
    switch (event.kind) {
      case "submit":
        this.#waiting[event.job.lowPriority ? "lowPriority" : "normal"].push(event.job);
        return;
      case "release":
        this.#version += 1;
        this.#lastServedAt = null;
        return;
      case "ready":
        if (event.worker.state !== "starting") return;
        event.worker.state = "idle";
        event.worker.readyAt = this.#now;
        return;
      case "finish":
        this.#finish(event.worker);
        return;
      case "crash":
      case "gone":
        if (this.#workers.includes(event.worker)) this.#remove(event.worker, this.#now);
    }
  }

  #finish(worker: Worker): void {
    worker.served += 1;
    worker.job = null;
    worker.idleSince = this.#now;
    if (worker.version === this.#version) this.#lastServedAt = this.#now;
    if (worker.state === "draining") this.#stop(worker);
    else worker.state = "idle";
  }

  /** The most recently busy worker gets the next job, so that the others become idle. */
  #handOut(): void {
    const { normal, lowPriority } = this.#waiting;
    while (normal.length + lowPriority.length > 0) {
      const idle = this.#workers.filter((worker) => worker.state === "idle");
      if (idle.length === 0) return;
      const worker = idle.reduce((a, b) => (idleFrom(b) > idleFrom(a) ? b : a));
      const job = (normal.shift() ?? lowPriority.shift())!;
      const waits = job.lowPriority ? this.#waitsMs.lowPriority : this.#waitsMs.normal;
      waits.push(this.#now - job.submittedAt);
      worker.idleMs += this.#now - idleFrom(worker);
      worker.state = "busy";
      worker.job = job;
      this.#timetable.put(this.#now + job.runMs, { kind: "finish", worker });
    }
  }

  #decide(): void {
    for (let turn = 0; turn < 8; turn++) {
      const { start, drain, wakeAt } = decideFleet(this.#fleet());
      for (const order of drain) this.#drain(order);
      for (let begun = 0; begun < start; begun++) this.#start();
      this.#wakeAt = wakeAt;
      if (start === 0 && drain.length === 0) {
        this.#countReady();
        return;
      }
    }
    throw new Error(`the plans at ${this.#now} do not come to rest`);
  }

  #countReady(): void {
    const ready = this.#workers.filter(({ state }) => state === "idle" || state === "busy").length;
    const reached = this.#fewestReady < Infinity || ready >= this.#day.policy.workersMin;
    if (reached) this.#fewestReady = Math.min(this.#fewestReady, ready);
  }

  #fleet(): Fleet {
    const { normal, lowPriority } = this.#waiting;
    const busy = this.#workers.filter(({ state, job }) => state === "busy" && job);
    const low = busy.filter(({ job }) => job?.lowPriority).length;
    return {
      version: this.#version,
      policy: this.#day.policy,
      queue: {
        waiting: normal.length,
        waitingLowPriority: lowPriority.length,
        oldestWaitingAt: normal[0]?.submittedAt ?? null,
        inProgress: busy.length - low,
        inProgressLowPriority: low,
      },
      workers: this.#workers,
      backOff: decideBackOff({
        version: this.#version,
        ends: this.#ends,
        lastServedAt: this.#lastServedAt,
      }),
      now: this.#now,
    };
  }

  #start(): void {
    const worker: Worker = {
      id: `w${++this.#started}`,
      version: this.#version,
      state: "starting",
      job: null,
      startedAt: this.#now,
      readyAt: null,
      idleSince: null,
      endedAt: 0,
      served: 0,
      drainedFor: null,
      idleAtDrainMs: 0,
      idleMs: 0,
    };
    this.#workers.push(worker);
    const bad = this.#day.releases?.[this.#version - 2]?.bad;
    const coldStartMs = Math.round(this.#random.between(4_000, 12_000));
    this.#timetable.put(this.#now + coldStartMs, { kind: bad ? "crash" : "ready", worker });
    const rolling = this.#workers.some(({ version }) => version !== this.#version);
    const where = rolling ? "rolling" : "steady";
    this.#mostAlive[where] = Math.max(this.#mostAlive[where], this.#workers.length);
  }

  #drain({ id, why }: Drain): void {
    const worker = this.#workers.find((other) => other.id === id)!;
    if (worker.state === "idle") {
      worker.idleAtDrainMs = this.#now - idleFrom(worker);
      worker.idleMs += worker.idleAtDrainMs;
    }
    worker.state = "draining";
    worker.drainedFor = why;
    if (!worker.job) this.#stop(worker);
  }

  #stop(worker: Worker): void {
    const graceMs = Math.round(this.#random.between(100, 1_000));
    this.#timetable.put(this.#now + graceMs, { kind: "gone", worker });
  }

  #remove(worker: Worker, endedAt: number): void {
    if (worker.state === "idle") worker.idleMs += endedAt - idleFrom(worker);
    worker.endedAt = endedAt;
    this.#workers = this.#workers.filter((other) => other !== worker);
    this.#past.push(worker);
    const { version, startedAt, served, drainedFor } = worker;
    const wanted = drainedFor !== null;
    const exitCode = wanted ? 0 : 1;
    const lifeMs = endedAt - startedAt;
    this.#ends.push({ version, endedAt, exitCode, signal: null, served, lifeMs, desired: wanted });
    this.#ends = this.#ends.slice(-evidenceKept);
  }
}

const idleFrom = (worker: Worker) => worker.idleSince ?? worker.readyAt!;
