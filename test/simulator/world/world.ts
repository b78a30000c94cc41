// The whole service in this process, on a clock that moves only when the simulation moves it. It can be stopped,
// killed and started again on the same data.

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Up, up } from "../../../src/app/boot/up.ts";
import { readConfig } from "../../../src/app/config/config.ts";
import type { Clock } from "../../../src/base/clock.ts";
import { MovableClock } from "../../../src/base/movable-clock.ts";
import type { FakeDriver } from "../../../src/drivers/fake/fake-driver.ts";
import type { Tx } from "../../../src/store/engine/statement.ts";
import type { Store } from "../../../src/store/engine/store.ts";
import { Router } from "./router.ts";
import { Settling } from "./settle.ts";

const START = Date.parse("2027-01-01T00:00:00Z");
const standing: Clock = { now: () => START, after: () => () => {} };

/** Routine checks are faithful in a move that is no longer: their timers fire every five seconds. */
const FAITHFUL_MS = 120_000;
/** How long a service may take to stop, and the steps in which that time passes. */
const STOPPING_STEP_MS = 500;
const STOPPING_MS = 15_000;

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a simulation reads any body
  json: any;
  fault: string | null;
}

export class World {
  readonly clock = new MovableClock(standing);
  readonly router = new Router();
  readonly #settling = new Settling();
  readonly #flags: Record<string, string>;
  #folder = mkdtempSync(path.join(tmpdir(), "freehold-simulator-"));
  #up: Up | null = null;
  #upSince = START;

  constructor(flags: Record<string, string>) {
    this.#flags = flags;
  }

  get now(): number {
    return this.clock.now();
  }

  /** When the service was last started. */
  get upSince(): number {
    return this.#upSince;
  }

  get isUp(): boolean {
    return this.#up !== null;
  }

  get store(): Store {
    return this.#running.service.store;
  }

  get driver(): FakeDriver {
    return this.#running.service.drivers[0] as FakeDriver;
  }

  get key(): string {
    return this.#running.cliKey;
  }

  get #running(): Up {
    if (!this.#up) throw new Error("the service does not run");
    return this.#up;
  }

  async start(): Promise<void> {
    const config = readConfig(
      {
        listen: "127.0.0.1:0",
        data: this.#folder,
        logLevel: "fatal",
        drivers: "fake",
        ...this.#flags,
      },
      {},
      this.#folder,
    );
    const started = await up(config, {}, this.clock);
    this.#up = started;
    this.#upSince = this.now;
    this.#trackStore(started.service.store);
    this.router.connect(started.origin, started.service.app);
    await this.#settling.settle();
  }

  /** An orderly stop. */
  async stop(): Promise<void> {
    const { origin, stop } = this.#running;
    await this.#stopped(stop());
    this.router.cut(origin);
    this.#up = null;
  }

  /** Kills the service: what it had not committed is lost, and so are its workers and their calls. */
  async kill(): Promise<void> {
    const { origin, stop, service } = this.#running;
    await this.#settling.settle();
    const left = this.#folder;
    this.#folder = mkdtempSync(path.join(tmpdir(), "freehold-simulator-"));
    const isKept = (name: string) => !/^(lock|address)$/.test(path.basename(name));
    cpSync(left, this.#folder, { recursive: true, filter: isKept });
    this.router.cut(origin);
    for (const driver of service.drivers) await driver.close();
    // What remains of it runs on without any effect until it has stopped.
    await this.#stopped(stop());
    rmSync(left, { recursive: true, force: true });
    this.#up = null;
  }

  async close(): Promise<void> {
    if (this.#up) await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async pass(ms: number): Promise<void> {
    await this.clock.moveTo(this.now + ms, {
      settle: this.#settling.settle,
      silent: ms <= FAITHFUL_MS,
    });
  }

  settle(): Promise<void> {
    return this.#settling.settle();
  }

  async call(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    address: string,
    body?: unknown,
    key = this.key,
  ) {
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    const reply = await this.router.send(this.#running.origin + address, {
      ...{ method: method as "GET", headers, signal: new AbortController().signal },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await this.settle();
    return { status: reply.status, json: parsed(reply.text), fault: reply.fault } as Answer;
  }

  read<Args extends unknown[], Result>(transaction: (...args: Args) => Tx<Result>, ...args: Args) {
    return this.store.read(transaction, ...args);
  }

  /** Moves time until every program has ended, then waits in real time for what belongs to the system, such as files. */
  async #stopped(work: Promise<void>): Promise<void> {
    for (let passedMs = 0; passedMs < STOPPING_MS; passedMs += STOPPING_STEP_MS)
      await this.pass(STOPPING_STEP_MS);
    await work;
  }

  #trackStore(store: Store): void {
    const { read, write } = store;
    const settling = this.#settling;
    Object.assign(store, {
      read: (...args: Parameters<typeof read>) => settling.track(read.apply(store, args)),
      write: (...args: Parameters<typeof write>) => settling.track(write.apply(store, args)),
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
