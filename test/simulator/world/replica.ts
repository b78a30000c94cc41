// One process of the service in the simulation. It can be stopped, killed, frozen, cut off from its database, and started
// again on the same data.

import { cpSync, rmSync } from "node:fs";
import path from "node:path";
import { type Up, up } from "../../../src/app/boot/up.ts";
import type { MovableClock } from "../../../src/base/movable-clock.ts";
import { readConfig } from "../../../src/config/config.ts";
import { Fault } from "../../../src/domain/fault.ts";
import type { SimulatedDriver } from "../../../src/drivers/simulated/simulated-driver.ts";
import type { Running } from "../../../src/loops/engine/loop.ts";
import type { Store } from "../../../src/store/engine/store.ts";
import { skewEngine } from "../../fixtures/simulated-driver/skewed-engine.ts";
import { newFolder } from "./folders.ts";
import { within } from "./limit.ts";
import { followDatabase, ReplicaClock } from "./replica-clock.ts";
import type { Router } from "./router.ts";
import type { Settling } from "./settle.ts";

interface ReplicaDeps {
  flags: Record<string, string>;
  clock: MovableClock;
  /** The instant that its host, or its database, tells. */
  now(): number;
  hasServer: boolean;
  router: Router;
  settling: Settling;
  /** Moves time until the work is done. */
  passUntil(work: Promise<void>): Promise<void>;
}

/** The machine's programs would be asked for GPUs every few virtual minutes, and each machine answers otherwise. */
const NO_PROGRAMS = { PATH: "/no/programs" };

export class Replica {
  readonly #deps: ReplicaDeps;
  #folder = newFolder();
  #up: Up | null = null;
  #link = newLink();
  #clock: ReplicaClock | null = null;
  #following: Running | null = null;
  /** In ticks. */
  #upSince: number;
  #machine = "";
  /** The ticks when it last ceased to serve. */
  #awaySince = 0;
  /** What its engine's clock is ahead of the service's. */
  #engineLeadMs = 0;

  constructor(deps: ReplicaDeps) {
    this.#deps = deps;
    this.#upSince = deps.clock.ticks();
  }

  get isUp(): boolean {
    return this.#up !== null;
  }

  /** It runs, and reaches the store. */
  get serves(): boolean {
    return this.#up !== null && !this.#link.isCut && !this.isFrozen;
  }

  get isCut(): boolean {
    return this.#up !== null && this.#link.isCut;
  }

  get isFrozen(): boolean {
    return this.#link.thawed !== null;
  }

  get upSince(): number {
    return this.#upSince;
  }

  get running(): Up {
    if (!this.#up) throw new Error("the service does not run");
    return this.#up;
  }

  /** Known once it has run. */
  get machine(): string {
    return this.#machine;
  }

  /** For how long it has not served. */
  get awayMs(): number {
    return this.serves ? 0 : this.#deps.clock.ticks() - this.#awaySince;
  }

  get driver(): SimulatedDriver {
    return this.running.service.drivers[0] as SimulatedDriver;
  }

  async start(): Promise<void> {
    const { flags, router, settling } = this.#deps;
    this.#link = newLink();
    const clock = await this.#openClock(this.#link);
    const own = {
      listen: "127.0.0.1:0",
      data: this.#folder,
      logLevel: "fatal",
      drivers: "simulated",
    };
    const config = readConfig({ ...own, ...flags }, {}, this.#folder);
    const starting = up(config, NO_PROGRAMS, clock);
    const started = await within("the start of a replica", starting);
    this.#up = started;
    this.#machine = started.service.replica.machine;
    this.#upSince = clock.ticks();
    this.#guard(started.service.store, this.#link);
    skewEngine(this.driver, () => this.#engineLeadMs);
    router.connect(started.origin, started.service.app);
    await settling.settle();
  }

  /** An orderly stop. */
  async stop(): Promise<void> {
    const { origin, stop } = this.running;
    this.#awaySince = this.#deps.clock.ticks();
    await this.#deps.passUntil(this.#end(stop));
    this.#deps.router.cut(origin);
    this.#up = null;
  }

  /** Kills it: what it had not committed is lost, and so are its workers and their calls. */
  async kill(): Promise<void> {
    const { origin, stop, service } = this.running;
    this.#awaySince = this.#deps.clock.ticks();
    const { alone } = service.store;
    const left = this.#folder;
    if (alone) {
      await this.#deps.settling.settle();
      // What it still writes must not be in the next start's store.
      this.#folder = newFolder();
      const isKept = (name: string) => !/^(lock|address)$/.test(path.basename(name));
      cpSync(left, this.#folder, { recursive: true, filter: isKept });
    } else this.#link.isCut = true;
    this.#deps.router.cut(origin);
    for (const driver of service.drivers) await driver.close();
    this.#up = null;
    // What remains of it runs on without any effect until it has stopped.
    await this.#deps.passUntil(this.#end(stop));
    if (alone) rmSync(left, { recursive: true, force: true });
  }

  /** From now on no statement of it reaches the database. Its workloads run on. */
  cutOff(): void {
    this.#awaySince = this.#deps.clock.ticks();
    this.#link.isCut = true;
  }

  /** It stands still: no timer of it fires, its statements and their answers wait, and its clients give up. */
  freeze(): void {
    this.#awaySince = this.#deps.clock.ticks();
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(this.#link, { thawed: promise, thaw: resolve });
    this.#clock?.freeze();
    this.#deps.router.cut(this.running.origin);
  }

  /** It continues where it stood. */
  thaw(): void {
    if (!this.isFrozen) return;
    const { origin, service } = this.running;
    this.#link.thaw();
    this.#link.thawed = null;
    this.#deps.router.connect(origin, service.app);
    this.#clock?.thaw();
  }

  /** From now on its writes are committed, or not, without an answer that says so. */
  loseAnswers(isLosing: boolean): void {
    this.#link.losesAnswers = isLosing;
  }

  /** Sets the clock of its engine, which tells when containers started and ended. */
  setEngineLead(leadMs: number): void {
    this.#engineLeadMs = leadMs;
  }

  reconnect(): void {
    this.#link.isCut = false;
  }

  removeData(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #openClock(link: Link): Promise<ReplicaClock> {
    const { clock: world, now, hasServer } = this.#deps;
    this.#clock = new ReplicaClock(world, now);
    if (hasServer) {
      const database = { now, isReachable: () => !link.isCut };
      const { clock, following } = await followDatabase(world, database);
      this.#following = following;
      this.#clock = clock;
    }
    return this.#clock;
  }

  async #end(stop: () => Promise<void>): Promise<void> {
    await Promise.all([stop(), this.#following?.stop()]);
  }

  #guard(store: Store, link: Link): void {
    const { settling } = this.#deps;
    const { read, write } = store;
    const guarded =
      <Args extends unknown[]>(operation: (...args: Args) => Promise<unknown>, isWrite: boolean) =>
      async (...args: Args) => {
        if (link.thawed) await link.thawed;
        if (link.isCut) throw new Fault("store_unavailable");
        const result = await settling.track(operation.apply(store, args));
        if (link.thawed) await link.thawed;
        if (isWrite && link.losesAnswers) throw new Fault("store_unavailable");
        return result;
      };
    Object.assign(store, { read: guarded(read, false), write: guarded(write, true) });
  }
}

/** What is between a replica and its database. */
interface Link {
  isCut: boolean;
  losesAnswers: boolean;
  /** While the replica stands still. */
  thawed: Promise<void> | null;
  thaw(): void;
}

const newLink = (): Link => ({ isCut: false, losesAnswers: false, thawed: null, thaw() {} });
