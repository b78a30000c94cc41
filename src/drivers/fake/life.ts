// What every part of a fake worker shares: its behaviour, the time it lives in, its voice, and its
// end, after which nothing that it began goes on.
import { type Clock, pause } from "../../base/clock.ts";
import type { Sighting, Usage, VolumeMount, Workload } from "../driver.ts";
import type { Behaviour } from "./behaviour.ts";
import { exchange, type Reply, type Transport } from "./exchange.ts";
import type { FakeLog } from "./fake-log.ts";

export interface Surroundings {
  clock: Clock;
  transport: Transport;
  log: FakeLog;
  onEnd: () => void;
}

export class Life {
  readonly sighting: Sighting;
  readonly gone: Promise<void>;
  readonly #end = new AbortController();
  readonly #around: Surroundings;
  readonly #credential: string;
  readonly #memoryLimitBytes: number | null;
  readonly #volumes: VolumeMount[];
  readonly #waiting = new Set<() => void>();
  #behaviour: Behaviour;
  #resolveGone: () => void = () => {};

  constructor(
    { id, env, ports = [], resources, volumes = [] }: Workload,
    behaviour: Behaviour,
    around: Surroundings,
  ) {
    const open = { endedAt: null, exitCode: null, signal: null };
    // Nobody listens on these ports, so they need not be free.
    const mapped = ports.map((port) => ({ ...port, hostPort: port.hostPort ?? port.container }));
    const seen = { ...open, ...(mapped.length > 0 && { ports: mapped }) };
    this.sighting = { id, state: "running", startedAt: around.clock.now(), ...seen };
    this.gone = new Promise((resolve) => {
      this.#resolveGone = resolve;
    });
    this.#memoryLimitBytes = resources?.memoryMb ? resources.memoryMb * 1_048_576 : null;
    this.#volumes = volumes;
    this.#around = around;
    this.#credential = env.RUNPOD_AI_API_KEY ?? "";
    this.#behaviour = behaviour;
  }

  get behaviour(): Behaviour {
    return this.#behaviour;
  }

  behave(changes: Partial<Behaviour>): void {
    this.#behaviour = { ...this.#behaviour, ...changes };
    this.wake();
  }

  /** Aborts when it ends. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get over(): boolean {
    return this.#end.signal.aborted;
  }

  /** What its behaviour says that it uses; null once it has ended. */
  get usage(): Usage | null {
    const { id, state, startedAt } = this.sighting;
    if (state === "ended") return null;
    const { cpuPercent, memoryMb, diskMb, volumeMb } = this.#behaviour;
    const volumes = volumeMb > 0 ? this.#volumes : [];
    return {
      id,
      at: this.now(),
      cpuMs: ((this.now() - startedAt) * cpuPercent) / 100,
      memoryBytes: memoryMb * 1_048_576,
      memoryLimitBytes: this.#memoryLimitBytes,
      receivedBytes: null,
      sentBytes: null,
      diskBytes: diskMb * 1_048_576,
      volumes: volumes.map(({ kind, name }) => ({ kind, name, bytes: volumeMb * 1_048_576 })),
    };
  }

  now(): number {
    return this.#around.clock.now();
  }

  say(text: string): void {
    this.#around.log.add(this.now(), text);
  }

  end(exitCode: number | null, signal: string | null): void {
    if (this.over) return;
    this.say(signal ? `killed by ${signal}` : `ended with exit code ${exitCode}`);
    delete this.sighting.ports;
    Object.assign(this.sighting, { state: "ended", endedAt: this.now(), exitCode, signal });
    this.vanish();
    this.#around.onEnd();
  }

  /** Nothing goes on, and nobody is told. */
  vanish(): void {
    this.#end.abort();
    this.wake();
    this.#resolveGone();
  }

  pause(delayMs: number, until: AbortSignal = this.signal): Promise<void> {
    return delayMs > 0 ? pause(this.#around.clock, delayMs, until) : Promise.resolve();
  }

  /** Waits until it holds, or until the end. */
  async until(holds: () => boolean): Promise<void> {
    while (!this.over && !holds()) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Whoever is silent neither says nor hears anything; it all waits. */
  audible(): Promise<void> {
    return this.until(() => !this.#behaviour.silent);
  }

  /** Something changed that `until` may wait for. */
  wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }

  get(url: string, until: AbortSignal = this.signal): Promise<Reply | null> {
    return this.#call(url, { method: "GET", headers: {}, signal: until });
  }

  /** JSON under the label that the common worker library puts on it. */
  post(url: string, body: string): Promise<Reply | null> {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return this.#call(url, { method: "POST", headers, body, signal: this.signal });
  }

  #call(url: string, call: Parameters<Transport>[1]): Promise<Reply | null> {
    const headers = { ...call.headers, authorization: this.#credential };
    return exchange(this.#around.transport, url, { ...call, headers });
  }
}
