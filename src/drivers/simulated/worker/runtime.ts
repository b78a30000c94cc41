// The runtime that the parts of a simulated worker share: its behavior, clock, log and HTTP calls, and its
// end, which stops everything that it started.

import { type Clock, Deadline, pause, routineOf, within } from "../../../base/clock.ts";
import { GIB, MIB } from "../../../base/units.ts";
import type { Observation, Usage, Workload } from "../../driver.ts";
import { type OpenaiSettings, openaiConcurrency, openaiSettings } from "../openai/settings.ts";
import { type Behavior, setsBehavior } from "../rules/behavior.ts";
import type { ImageRule } from "../rules/image-rules.ts";
import type { SimulatedLog } from "../simulated-log.ts";
import { gpusAt, loadOf, type WorkloadSize } from "../telemetry.ts";
import { type Reply, send, type Transport } from "./transport.ts";

export interface WorkerRuntimeDeps {
  clock: Clock;
  transport: Transport;
  log: SimulatedLog;
  onEnd: () => void;
  /** The rule of its image, if one matches. */
  rule: ImageRule | null;
  /** Resolves before it makes its first call; to false if it never runs. */
  ready?: Promise<boolean> | undefined;
}

/** The size of a workload without limits. */
const USUAL = { vcpu: 2, memoryMb: 4_096, diskGb: 10 };

function sizeOf({ resources }: Workload): WorkloadSize {
  const { vcpu, memoryMb, diskGb } = { ...USUAL, ...resources };
  return {
    vcpus: vcpu,
    memoryBytes: memoryMb * MIB,
    diskBytes: diskGb * GIB,
    gpuIndices: resources?.simulatedGpus?.indices ?? [],
  };
}

/** A start command of `simulate`, and a rule with another answer, have precedence over what the image is. */
function openaiOf(workload: Workload, rule: ImageRule | null): OpenaiSettings | null {
  if (setsBehavior([...workload.entrypoint, ...workload.command])) return null;
  if (rule && (rule.output !== null || rule.answers)) return null;
  return openaiSettings(workload, rule?.openai ?? null);
}

export class WorkerRuntime {
  readonly observation: Observation;
  readonly ended: Promise<void>;
  /** Null if it does not serve OpenAI's interface. */
  readonly openai: OpenaiSettings | null;
  readonly #end = new AbortController();
  readonly #deps: WorkerRuntimeDeps;
  readonly #credential: string;
  readonly #workload: Workload;
  readonly #waiters = new Set<() => void>();
  #behavior: Behavior;
  #resolveEnded: () => void = () => {};

  constructor(workload: Workload, behavior: Behavior, deps: WorkerRuntimeDeps) {
    const { id, env, ports = [] } = workload;
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
    this.#workload = workload;
    this.#deps = deps;
    this.#credential = env.RUNPOD_AI_API_KEY ?? "";
    this.openai = openaiOf(workload, deps.rule);
    const concurrency = this.openai ? openaiConcurrency(workload) : behavior.concurrency;
    this.#behavior = { ...behavior, concurrency };
  }

  get rule(): ImageRule | null {
    return this.#deps.rule;
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

  /** What its behavior sets, or what an image seems to use; null once it has ended. */
  get usage(): Usage | null {
    const { id, state, startedAt } = this.observation;
    if (state === "ended") return null;
    const { entrypoint, command, resources, volumes = [] } = this.#workload;
    const at = this.now();
    const memoryLimitBytes = resources?.memoryMb ? resources.memoryMb * MIB : null;
    const counters = { id, at, memoryLimitBytes, receivedBytes: null, sentBytes: null };
    if (!setsBehavior([...entrypoint, ...command])) {
      return { ...counters, ...loadOf(id, sizeOf(this.#workload), at - startedAt), volumes: [] };
    }
    const { cpuPercent, gpuPercent, memoryMb, diskMb, volumeMb } = this.#behavior;
    const measured = volumeMb > 0 ? volumes : [];
    return {
      ...counters,
      // Samples divide it by the time between their instants.
      cpuMs: ((at - startedAt) * cpuPercent) / 100,
      ...(gpuPercent !== null && { gpus: gpusAt(gpuPercent, sizeOf(this.#workload)) }),
      memoryBytes: memoryMb * MIB,
      diskBytes: diskMb * MIB,
      volumes: measured.map(({ kind, name }) => ({ kind, name, bytes: volumeMb * MIB })),
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

  /** Waits for work for no longer than that, or until its end. */
  async wait(limitMs: number, work: () => Promise<unknown>): Promise<void> {
    await within(new Deadline(this.#deps.clock, limitMs), work, this.signal);
  }

  /** A pause between two polls or pings. */
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
