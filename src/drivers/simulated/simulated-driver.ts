// The simulated driver: workloads that exist only in memory, for tests and for machines without a container
// engine. Its workers call the same routes as others.

import type { Duplex } from "node:stream";
import { type Clock, pause } from "../../base/clock.ts";
import { ExecRefused } from "../../domain/container/exec-refused.ts";
import { NotReached } from "../../domain/container/unreachable-port.ts";
import { ChangeListeners } from "../change-listeners.ts";
import {
  type Driver,
  type ExecRequest,
  type Execution,
  type LogLine,
  type Observation,
  StartAborted,
  type StartReporter,
  type Usage,
  type VolumeName,
  type Workload,
} from "../driver.ts";
import { requireWorkloadId } from "../workload-id.ts";
import { type ImageRule, requirePullable, ruleFor } from "./image-rules.ts";
import {
  type Behavior,
  defaultBehavior,
  imageBehavior,
  readBehavior,
  setsBehavior,
} from "./rules/behavior.ts";
import { podFactsOf } from "./shell/pod-facts.ts";
import { SimulatedShells } from "./shell/shells.ts";
import { SimulatedLog } from "./simulated-log.ts";
import { SimulatedVolumes } from "./volumes.ts";
import type { Transport } from "./worker/transport.ts";
import { SimulatedWorker, type WorkerControl } from "./worker/worker.ts";

export interface SimulatedDriverOptions {
  clock: Clock;
  /** Carries the workers' calls; `fetch` by default. */
  transport?: Transport;
  /** The behavior of workers whose start command sets none. */
  behavior?: Partial<Behavior>;
  /** How images are simulated; a start command of `simulate` has precedence. */
  imageRules?: readonly ImageRule[];
  /** The folder of its volumes; without it there are none. */
  volumes?: string;
  /** The memory of a GPU type, as shells show it; null if it is unknown. */
  gpuMemoryGb?: (gpuTypeId: string) => number | null;
}

export interface SimulatedDriver extends Driver {
  /** Changes the behavior of a running worker, or ends it; throws if the id is unknown. */
  control(id: string, command: WorkerControl): void;
  /** The workload as it was started last; undefined if the id is unknown. */
  workloadOf(id: string): Workload | undefined;
}

export function openSimulatedDriver(options: SimulatedDriverOptions): SimulatedDriver {
  return new InMemoryDriver(options);
}

class InMemoryDriver implements SimulatedDriver {
  readonly name = "simulated";
  readonly survivesRestart = false;
  readonly publishesPorts = true;
  readonly #clock: Clock;
  readonly #transport: Transport;
  readonly #defaults: { program: Behavior; image: Behavior };
  readonly #imageRules: readonly ImageRule[];
  readonly #workers = new Map<string, SimulatedWorker>();
  readonly #workloads = new Map<string, Workload>();
  /** One log for all starts of a workload. */
  readonly #logs = new Map<string, SimulatedLog>();
  readonly #listeners = new ChangeListeners();
  readonly #volumes: SimulatedVolumes | null;
  readonly #shells: SimulatedShells;
  readonly #gpuMemoryGb: (gpuTypeId: string) => number | null;
  /** Starts that wait for their image, by workload. */
  readonly #pulls = new Map<string, AbortController>();

  constructor(options: SimulatedDriverOptions) {
    const { clock, transport, behavior, volumes, gpuMemoryGb, imageRules = [] } = options;
    this.#imageRules = imageRules;
    this.#shells = new SimulatedShells(clock);
    this.#gpuMemoryGb = gpuMemoryGb ?? (() => null);
    this.#volumes = volumes === undefined ? null : new SimulatedVolumes(clock, volumes);
    this.#clock = clock;
    this.#transport = transport ?? ((url, call) => fetch(url, call));
    this.#defaults = {
      program: { ...defaultBehavior, ...behavior },
      image: { ...imageBehavior, ...behavior },
    };
  }

  async list(): Promise<Observation[]> {
    return Array.from(this.#workers.values(), ({ observation }) => ({ ...observation }));
  }

  async logs(id: string, tail: number, since?: number): Promise<LogLine[]> {
    return this.#logs.get(id)?.tail(tail, since) ?? [];
  }

  async *follow(
    id: string,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<LogLine[], void> {
    const isRunning = () => this.#workers.get(id)?.observation.state === "running";
    const log = this.#logs.get(id);
    if (log) yield* log.follow(after, signal, () => !isRunning());
  }

  async dial(id: string, port: number): Promise<Duplex> {
    const worker = this.#workers.get(id);
    if (worker?.observation.state !== "running") throw new NotReached("not_running");
    return worker.page.connect(port);
  }

  /** The usage that its behavior sets. */
  async usage(): Promise<Usage[]> {
    return [...this.#workers.values()].flatMap(({ usage }) => usage ?? []);
  }

  async exec(id: string, request: ExecRequest): Promise<Execution> {
    const worker = this.#workers.get(id);
    const workload = this.#workloads.get(id);
    if (!workload || worker?.observation.state !== "running") {
      throw new ExecRefused("it is not running");
    }
    const mounts = this.#volumes ? (workload.volumes ?? []) : [];
    const volumes = await Promise.all(
      mounts.map(async ({ mountPath, ...volume }) => ({
        folder: await this.#volumes!.folder(volume),
        mountPath,
      })),
    );
    const { startedAt } = worker.observation;
    const facts = { workload, startedAt, at: this.#clock.now(), usage: worker.usage, volumes };
    return this.#shells.exec(podFactsOf({ ...facts, gpuMemoryGb: this.#gpuMemoryGb }), request);
  }

  async quota(): Promise<"measured"> {
    return "measured";
  }

  onChange(listener: (id: string) => void): () => void {
    return this.#listeners.add(listener);
  }

  async start(workload: Workload, report: StartReporter = () => {}): Promise<void> {
    const { id, entrypoint, command } = workload;
    requireWorkloadId(id);
    const args = [...entrypoint, ...command];
    const rule = setsBehavior(args) ? null : ruleFor(this.#imageRules, workload.image);
    const behavior = { ...readBehavior(args, this.#defaults), ...rule?.behavior };
    if (behavior.pullMs > 0 && this.#workers.get(id)?.observation.state !== "running") {
      await this.#pull(workload, behavior.pullMs, report, rule);
    } else {
      if (rule) requirePullable(rule, workload);
      report(null, "image_present");
    }
    for (;;) {
      const previous = this.#workers.get(id);
      if (previous?.observation.state !== "running") break;
      if (!previous.isStopping) return;
      await previous.ended;
    }
    const log = this.#logs.get(id) ?? new SimulatedLog();
    this.#logs.set(id, log);
    const onEnd = () => {
      log.wake();
      this.#shells.forget(id);
      this.#listeners.notify(id);
    };
    const deps = { clock: this.#clock, transport: this.#transport, log, onEnd, rule };
    this.#workers.set(id, new SimulatedWorker(workload, behavior, deps));
    this.#workloads.set(id, workload);
    this.#listeners.notify(id);
  }

  async #pull(
    workload: Workload,
    pullMs: number,
    report: StartReporter,
    rule: ImageRule | null,
  ): Promise<void> {
    const { id, image } = workload;
    const abort = new AbortController();
    this.#pulls.set(id, abort);
    report(`pulling the image ${image}`, "image_pulling");
    await pause(this.#clock, pullMs, abort.signal);
    this.#pulls.delete(id);
    if (abort.signal.aborted) throw new StartAborted("it was stopped while its image was pulled");
    if (rule) requirePullable(rule, workload);
    report(`pulled the image ${image}`, "image_pulled");
  }

  async stop(id: string, graceMs: number): Promise<void> {
    this.#pulls.get(id)?.abort();
    const worker = this.#workers.get(id);
    if (worker?.observation.state !== "running") return;
    worker.terminate();
    if (graceMs <= 0) return worker.kill("SIGKILL");
    const cancelKill = this.#clock.after(graceMs, () => worker.kill("SIGKILL"));
    await worker.ended;
    cancelKill();
  }

  async wipe(id: string): Promise<void> {
    if (this.#workers.get(id)?.observation.state === "running") {
      throw new Error(`Workload ${id} is running: stop it before you remove it.`);
    }
    this.#workers.delete(id);
    this.#workloads.delete(id);
  }

  async remove(id: string): Promise<void> {
    await this.wipe(id);
    this.#logs.delete(id);
  }

  async volumeFiles(volume: VolumeName, create: boolean) {
    return this.#volumes?.files(volume, create) ?? null;
  }

  async removeVolume(volume: VolumeName): Promise<void> {
    await this.#volumes?.remove(volume);
  }

  /** Nor do they have networks. */
  async removeNetwork(): Promise<void> {}

  async close(): Promise<void> {
    this.#listeners.clear();
    for (const pull of this.#pulls.values()) pull.abort();
    for (const worker of this.#workers.values()) worker.shutDown();
    await this.#shells.close();
  }

  workloadOf(id: string): Workload | undefined {
    return this.#workloads.get(id);
  }

  control(id: string, command: WorkerControl): void {
    const worker = this.#workers.get(id);
    if (!worker) throw new Error(`No simulated worker has the id ${JSON.stringify(id)}.`);
    worker.control(command);
  }
}
