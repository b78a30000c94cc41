// The runtime that the parts of a fake worker share: its behavior, clock, log and HTTP calls, and its
// end, which stops everything that it started.

import { type Clock, pause, routineOf } from "../../base/clock.ts";
import type { Observation, Usage, VolumeMount, Workload } from "../driver.ts";
import type { Behavior } from "./behavior.ts";
import type { FakeLog } from "./fake-log.ts";
import { type Reply, send, type Transport } from "./transport.ts";

export interface RuntimeDeps {
  clock: Clock;
  transport: Transport;
  log: FakeLog;
  onEnd: () => void;
}

export class WorkerRuntime {
  readonly observation: Observation;
  readonly ended: Promise<void>;
  readonly #end = new AbortController();
  readonly #deps: RuntimeDeps;
  readonly #credential: string;
  readonly #memoryLimitBytes: number | null;
  readonly #volumes: VolumeMount[];
  readonly #waiters = new Set<() => void>();
  #behavior: Behavior;
  #resolveEnded: () => void = () => {};

  constructor(
    { id, env, ports = [], resources, volumes = [] }: Workload,
    behavior: Behavior,
    deps: RuntimeDeps,
  ) {
    // Nothing listens on these ports, so they need not be free.
    const mappings = ports.map((port) => ({ ...port, hostPort: port.hostPort ?? port.container }));
    this.observation = {
      id,
      state: "running",
      startedAt: deps.clock.now(),
      endedAt: null,
      exitCode: null,
      signal: null,
      ...(mappings.length > 0 && { ports: mappings }),
    };
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#memoryLimitBytes = resources?.memoryMb ? resources.memoryMb * 1_048_576 : null;
    this.#volumes = volumes;
    this.#deps = deps;
    this.#credential = env.RUNPOD_AI_API_KEY ?? "";
    this.#behavior = behavior;
  }

  get behavior(): Behavior {
    return this.#behavior;
  }

  changeBehavior(changes: Partial<Behavior>): void {
    this.#behavior = { ...this.#behavior, ...changes };
    this.wake();
  }

  /** Aborts when it ends. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get hasEnded(): boolean {
    return this.#end.signal.aborted;
  }

  /** The usage that its behavior sets; null once it has ended. */
  get usage(): Usage | null {
    const { id, state, startedAt } = this.observation;
    if (state === "ended") return null;
    const at = this.now();
    const { cpuPercent, memoryMb, diskMb, volumeMb } = this.#behavior;
    const volumes = volumeMb > 0 ? this.#volumes : [];
    return {
      id,
      at,
      // Samples divide it by the time between their instants.
      cpuMs: ((at - startedAt) * cpuPercent) / 100,
      memoryBytes: memoryMb * 1_048_576,
      memoryLimitBytes: this.#memoryLimitBytes,
      receivedBytes: null,
      sentBytes: null,
      diskBytes: diskMb * 1_048_576,
      volumes: volumes.map(({ kind, name }) => ({ kind, name, bytes: volumeMb * 1_048_576 })),
    };
  }

  now(): number {
    return this.#deps.clock.now();
  }

  ticks(): number {
    return this.#deps.clock.ticks();
  }

  log(text: string): void {
    this.#deps.log.add(this.now(), text);
  }

  end(exitCode: number | null, signal: string | null): void {
    if (this.hasEnded) return;
    this.log(signal ? `killed by ${signal}` : `ended with exit code ${exitCode}`);
    delete this.observation.ports;
    Object.assign(this.observation, { state: "ended", endedAt: this.now(), exitCode, signal });
    this.shutDown();
    this.#deps.onEnd();
  }

  /** Stops all work without reporting an end. */
  shutDown(): void {
    this.#end.abort();
    this.wake();
    this.#resolveEnded();
  }

  pause(delayMs: number, signal: AbortSignal = this.signal): Promise<void> {
    return delayMs > 0 ? pause(this.#deps.clock, delayMs, signal) : Promise.resolve();
  }

  /** The same between two polls or pings. */
  rest(delayMs: number, signal: AbortSignal = this.signal): Promise<void> {
    return delayMs > 0 ? pause(routineOf(this.#deps.clock), delayMs, signal) : Promise.resolve();
  }

  /** Resolves when the condition holds, or at the end. */
  async until(condition: () => boolean): Promise<void> {
    while (!this.hasEnded && !condition()) {
      await new Promise<void>((resolve) => this.#waiters.add(resolve));
    }
  }

  /** A silent worker neither sends nor reads anything until the silence ends. */
  untilNotSilent(): Promise<void> {
    return this.until(() => !this.#behavior.silent);
  }

  /** Makes `until` check its conditions again. */
  wake(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const resolve of waiters) resolve();
  }

  get(url: string, signal: AbortSignal = this.signal): Promise<Reply | null> {
    return this.#call(url, { method: "GET", headers: {}, signal });
  }

  /** JSON with the content type that the common worker library sends. */
  post(url: string, body: string): Promise<Reply | null> {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return this.#call(url, { method: "POST", headers, body, signal: this.signal });
  }

  #call(url: string, call: Parameters<Transport>[1]): Promise<Reply | null> {
    const headers = { ...call.headers, authorization: this.#credential };
    return send(this.#deps.transport, url, { ...call, headers });
  }
}
