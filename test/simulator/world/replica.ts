// One process of the service in the simulation. It can be stopped, killed, cut off from its database, and started
// again on the same data.

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Up, up } from "../../../src/app/boot/up.ts";
import { readConfig } from "../../../src/app/config/config.ts";
import type { MovableClock } from "../../../src/base/movable-clock.ts";
import { Fault } from "../../../src/domain/fault.ts";
import type { SimulatedDriver } from "../../../src/drivers/simulated/simulated-driver.ts";
import type { Store } from "../../../src/store/engine/store.ts";
import type { Router } from "./router.ts";
import type { Settling } from "./settle.ts";

interface ReplicaDeps {
  flags: Record<string, string>;
  clock: MovableClock;
  router: Router;
  settling: Settling;
  /** Moves time until the work is done. */
  passUntil(work: Promise<void>): Promise<void>;
}

export class Replica {
  readonly #deps: ReplicaDeps;
  #folder = newFolder();
  #up: Up | null = null;
  #link = { isCut: false };
  #upSince: number;
  #machine = "";
  /** When it last ceased to serve. */
  #awaySince = 0;

  constructor(deps: ReplicaDeps) {
    this.#deps = deps;
    this.#upSince = deps.clock.now();
  }

  get isUp(): boolean {
    return this.#up !== null;
  }

  /** It runs, and reaches the store. */
  get serves(): boolean {
    return this.#up !== null && !this.#link.isCut;
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
    return this.serves ? 0 : this.#deps.clock.now() - this.#awaySince;
  }

  get driver(): SimulatedDriver {
    return this.running.service.drivers[0] as SimulatedDriver;
  }

  async start(): Promise<void> {
    const { flags, clock, router, settling } = this.#deps;
    const own = {
      listen: "127.0.0.1:0",
      data: this.#folder,
      logLevel: "fatal",
      drivers: "simulated",
    };
    const started = await up(readConfig({ ...own, ...flags }, {}, this.#folder), {}, clock);
    this.#up = started;
    this.#machine = started.service.replica.machine;
    this.#upSince = clock.now();
    this.#link = { isCut: false };
    this.#guard(started.service.store, this.#link);
    router.connect(started.origin, started.service.app);
    await settling.settle();
  }

  /** An orderly stop. */
  async stop(): Promise<void> {
    const { origin, stop } = this.running;
    this.#awaySince = this.#deps.clock.now();
    await this.#deps.passUntil(stop());
    this.#deps.router.cut(origin);
    this.#up = null;
  }

  /** Kills it: what it had not committed is lost, and so are its workers and their calls. */
  async kill(): Promise<void> {
    const { origin, stop, service } = this.running;
    this.#awaySince = this.#deps.clock.now();
    if (service.store.alone) await this.#deps.settling.settle();
    else this.#link.isCut = true;
    const left = this.#folder;
    this.#folder = newFolder();
    const isKept = (name: string) => !/^(lock|address)$/.test(path.basename(name));
    cpSync(left, this.#folder, { recursive: true, filter: isKept });
    this.#deps.router.cut(origin);
    for (const driver of service.drivers) await driver.close();
    this.#up = null;
    // What remains of it runs on without any effect until it has stopped.
    await this.#deps.passUntil(stop());
    rmSync(left, { recursive: true, force: true });
  }

  /** From now on no statement of it reaches the database. Its workloads run on. */
  cutOff(): void {
    this.#awaySince = this.#deps.clock.now();
    this.#link.isCut = true;
  }

  reconnect(): void {
    this.#link.isCut = false;
  }

  removeData(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #guard(store: Store, link: { isCut: boolean }): void {
    const { settling } = this.#deps;
    const { read, write } = store;
    const guarded =
      <Args extends unknown[]>(operation: (...args: Args) => Promise<unknown>) =>
      (...args: Args) =>
        link.isCut
          ? Promise.reject(new Fault("store_unavailable"))
          : settling.track(operation.apply(store, args));
    Object.assign(store, { read: guarded(read), write: guarded(write) });
  }
}

const newFolder = () => mkdtempSync(path.join(tmpdir(), "freehold-simulator-"));
