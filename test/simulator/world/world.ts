// The whole service in this process, on a clock that moves only when the simulation moves it: one process on SQLite,
// or replicas on a PostgreSQL server.

import type { Clock } from "../../../src/base/clock.ts";
import { MovableClock } from "../../../src/base/movable-clock.ts";
import type { Tx } from "../../../src/store/engine/statement.ts";
import type { Database } from "./database.ts";
import { Limit, within } from "./limit.ts";
import { Replica } from "./replica.ts";
import { Router } from "./router.ts";
import { Settling } from "./settle.ts";

const START = Date.parse("2027-01-01T00:00:00Z");
const standing: Clock = { now: () => START, ticks: () => START, after: () => () => {} };

/** Routine checks are faithful in a move that is no longer: their timers fire every five seconds. */
export const FAITHFUL_MS = 120_000;
/** How long a service on SQLite may take to stop, and the steps in which that time passes. */
const STOPPING_STEP_MS = 500;
const STOPPING_MS = 15_000;
/** With a database server it takes as many of these as it needs: each step begins and ends with a pass of every loop. */
const STOPPING_MOVE_MS = 2_500;

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a simulation reads any body
  json: any;
  fault: string | null;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

export class World {
  readonly clock = new MovableClock(standing);
  readonly router = new Router();
  readonly replicas: Replica[];
  /** Null on SQLite. */
  readonly database: Database | null;
  readonly #settling: Settling;
  #calls = 0;
  /** In ticks. */
  #orderlySince = 0;
  /** What the clock is ahead of the ticks, because it was set. */
  #stepMs = 0;
  readonly #setBacks: { from: number; to: number }[] = [];

  constructor(flags: Record<string, string>, replicas = 1, database: Database | null = null) {
    this.database = database;
    this.#settling = new Settling(database !== null);
    const all = {
      ...flags,
      ...(database && { databaseUrl: database.url, secretKey: "5e".repeat(32) }),
    };
    const { clock, router } = this;
    const passUntil = (work: Promise<void>) => this.#passUntil(work);
    const deps = {
      flags: all,
      clock,
      router,
      settling: this.#settling,
      passUntil,
      now: () => this.now,
      hasServer: database !== null,
    };
    this.replicas = Array.from({ length: replicas }, () => new Replica(deps));
  }

  /** The instant that the service's clock tells: the host's on SQLite, else the database's. */
  get now(): number {
    return this.clock.now() + this.#stepMs;
  }

  /** What has passed, whatever the clock was set to. */
  get ticks(): number {
    return this.clock.ticks();
  }

  /** When a replica was last started, as the clock stands now. */
  get upSince(): number {
    return Math.max(...this.replicas.map(({ upSince }) => upSince)) + this.#stepMs;
  }

  /** From then on every loop has a replica that runs it: what is late before that may be. As the clock stands now. */
  get orderlySince(): number {
    return this.#orderlySince + this.#stepMs;
  }

  get orderlySinceTicks(): number {
    return this.#orderlySince;
  }

  /**
   * Sets the clock of the host on SQLite, else that of the database, while loops are in the middle of their passes: so
   * many microtasks after these began.
   */
  async step(byMs: number, microtasks: number): Promise<void> {
    let settled = 0;
    const settle = async () => {
      // A move begins with a pass of every loop.
      if (settled++ === 1) {
        for (let turn = 0; turn < microtasks; turn++) await null;
        this.#set(byMs);
      }
      await this.#settling.settle();
    };
    await this.clock.moveTo(this.ticks + 1, { settle, silent: true });
  }

  #set(byMs: number): void {
    const from = this.now;
    this.#stepMs += byMs;
    if (byMs < 0) this.#setBacks.push({ from, to: this.now });
  }

  /** Whether an instant may lie before an earlier one, because the clock was set back between them. */
  mayPrecede(later: number, earlier: number): boolean {
    return this.#setBacks.some(({ from, to }) => earlier <= from && later >= to);
  }

  /** What the clock is ahead of the ticks. */
  get setByMs(): number {
    return this.#stepMs;
  }

  get serving(): Replica[] {
    return this.replicas.filter(({ serves }) => serves);
  }

  get key(): string {
    return this.#first.running.cliKey;
  }

  get #first(): Replica {
    const [first] = this.serving;
    if (!first) throw new Error("the service does not run");
    return first;
  }

  async start(): Promise<void> {
    for (const replica of this.replicas) await replica.start();
  }

  /** Something happened that others need this long to notice. */
  disturb(ms: number): void {
    this.#orderlySince = Math.max(this.#orderlySince, this.ticks + ms);
  }

  async close(): Promise<void> {
    for (const replica of this.replicas) {
      replica.reconnect();
      replica.thaw();
      if (replica.isUp) await replica.stop();
      replica.removeData();
    }
  }

  async pass(ms: number): Promise<void> {
    const moves = this.database ? Math.max(1, Math.ceil(ms / FAITHFUL_MS)) : 1;
    const until = this.ticks + ms;
    // Replicas that miss heartbeats would not be lost in a longer move.
    for (let left = moves; left > 0; left--)
      await this.clock.moveTo(this.ticks + Math.round((until - this.ticks) / left), {
        settle: this.#settling.settle,
        silent: ms / moves <= FAITHFUL_MS,
      });
  }

  settle(): Promise<void> {
    return this.#settling.settle();
  }

  /** A call to one of the replicas, in rotation. */
  async call(method: Method, address: string, body?: unknown, key = this.key): Promise<Answer> {
    const answer = await this.send(method, address, body, key);
    await this.settle();
    return answer;
  }

  /** Does not wait for what the call causes. */
  async send(method: Method, address: string, body: unknown, key: string): Promise<Answer> {
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    const { serving } = this;
    const { running } = serving[this.#calls++ % serving.length]!;
    const sent = this.router.send(running.origin + address, {
      method: method as "GET",
      headers,
      signal: new AbortController().signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const reply = await within(`the answer to ${method} ${address}`, sent);
    return { status: reply.status, json: parsed(reply.text), fault: reply.fault };
  }

  read<Args extends unknown[], Result>(transaction: (...args: Args) => Tx<Result>, ...args: Args) {
    return this.#first.running.service.store.read(transaction, ...args);
  }

  /** Moves time until the work is done. On SQLite it is always moved as far, so that a seed repeats everything. */
  async #passUntil(work: Promise<void>): Promise<void> {
    let isDone = false;
    const noted = work.finally(() => {
      isDone = true;
    });
    noted.catch(() => {});
    if (!this.database) {
      for (let passedMs = 0; passedMs < STOPPING_MS; passedMs += STOPPING_STEP_MS)
        await this.pass(STOPPING_STEP_MS);
      return within("the end of a replica", noted);
    }
    const limit = new Limit("the end of a replica");
    try {
      // What it waits for on a busy machine may come late, and set a timer then.
      while (!isDone) {
        limit.check();
        await this.pass(STOPPING_MOVE_MS);
      }
    } finally {
      limit.end();
    }
    return noted;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
