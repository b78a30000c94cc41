// The simulated driver: workloads that exist only in memory, for tests and for machines without a container
// engine. Its workers call the same routes as others.

import type { Duplex } from "node:stream";
import type { Clock } from "../../base/clock.ts";
import { GIB } from "../../base/units.ts";
import { ExecRefused } from "../../domain/container/exec-refused.ts";
import { NotReached } from "../../domain/container/unreachable-port.ts";
import { ChangeListeners } from "../change-listeners.ts";
import type {
  Driver,
  ExecRequest,
  Execution,
  LogLine,
  Observation,
  StartReporter,
  Usage,
  VolumeName,
  Workload,
} from "../driver.ts";
import { PendingStarts } from "../pending-starts.ts";
import { requireWorkloadId } from "../workload-id.ts";
import { ImagePrograms } from "./image-programs.ts";
import { pullImage } from "./image-pull.ts";
import {
  type Behavior,
  defaultBehavior,
  imageBehavior,
  readBehavior,
  setsBehavior,
} from "./rules/behavior.ts";
import { type ImageRule, requirePullable, ruleFor } from "./rules/image-rules.ts";
import { type PodGpus, podFactsOf } from "./shell/pod-facts.ts";
import { SimulatedShells } from "./shell/shells.ts";
import { SimulatedLog } from "./simulated-log.ts";
import { SimulatedVolumes } from "./volumes.ts";
import type { Transport } from "./worker/transport.ts";
import { SimulatedWorker, type WorkerControl } from "./worker/worker.ts";
import { WorkloadPorts } from "./workload-ports.ts";

export interface SimulatedDriverOptions {
  clock: Clock;
  /** Carries the workers' calls; `fetch` by default. */
  transport?: Transport;
  /** The behavior of workers whose start command sets none. */
  behavior?: Partial<Behavior>;
  /** How images are simulated; a start command of `simulate` has precedence. */
  imageRules?: readonly ImageRule[];
  /** Runs the programs that image rules name. */
  programs?: Driver | null;
  /** Where public ports of mapped images are open; by default on the loopback address. */
  publishOn?: string;
  /** The folder of its volumes; without it there are none. */
  volumes?: string;
  /** The GPUs that shells show; none by default. */
  podGpus?: PodGpus;
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
  readonly #programs: ImagePrograms;
  readonly #ports: WorkloadPorts;
  readonly #workers = new Map<string, SimulatedWorker>();
  readonly #workloads = new Map<string, Workload>();
  /** One log for all starts of a workload. */
  readonly #logs = new Map<string, SimulatedLog>();
  readonly #listeners = new ChangeListeners();
  readonly #volumes: SimulatedVolumes | null;
  readonly #shells: SimulatedShells;
  readonly #podGpus: PodGpus | undefined;
  readonly #pending = new PendingStarts();

  constructor(options: SimulatedDriverOptions) {
    const { clock, transport, behavior, volumes } = options;
    const { imageRules = [], programs = null, publishOn } = options;
    this.#ports = new WorkloadPorts(publishOn);
    this.#imageRules = imageRules;
    this.#programs = new ImagePrograms(programs, (id) => void this.#programChanged(id));
    this.#shells = new SimulatedShells(clock);
    this.#podGpus = options.podGpus;
    this.#volumes = volumes === undefined ? null : new SimulatedVolumes(volumes);
    this.#clock = clock;
    this.#transport = transport ?? ((url, call) => fetch(url, call));
    this.#defaults = {
      program: { ...defaultBehavior, ...behavior },
      image: { ...imageBehavior, ...behavior },
    };
  }

  async list(): Promise<Observation[]> {
    const programs = await this.#programs.list();
    const own = Array.from(this.#workers.values(), ({ observation }) => ({ ...observation }));
    return [...own, ...programs];
  }

  async logs(id: string, tail: number, since?: number): Promise<LogLine[]> {
    const program = this.#programs.of(id);
    if (program) return program.logs(id, tail, since);
    return this.#logs.get(id)?.tail(tail, since) ?? [];
  }

  async *follow(
    id: string,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<LogLine[], void> {
    const program = this.#programs.of(id);
    if (program) return yield* program.follow(id, after, signal);
    const isRunning = () => this.#workers.get(id)?.observation.state === "running";
    const log = this.#logs.get(id);
    if (log) yield* log.follow(after, signal, () => !isRunning());
  }

  async dial(id: string, port: number): Promise<Duplex> {
    const worker = this.#workers.get(id);
    const isRunning = worker?.observation.state === "running";
    const isMapped = isRunning || (await this.#programs.isRunning(id));
    const mapped = isMapped ? this.#ports.dial(id, port) : null;
    if (mapped) return mapped;
    if (!isRunning) throw new NotReached("not_running");
    return worker.page.connect(port);
  }

  /** The usage that a behavior sets, and that of programs. */
  async usage(): Promise<Usage[]> {
    const own = [...this.#workers.values()].flatMap(({ usage }) => usage ?? []);
    return own.concat(await this.#programs.usage());
  }

  async exec(id: string, request: ExecRequest): Promise<Execution> {
    if (this.#programs.of(id)) {
      throw new ExecRefused("a program runs in place of its image, which has no shell");
    }
    const worker = this.#workers.get(id);
    const workload = this.#workloads.get(id);
    if (!workload || worker?.observation.state !== "running") {
      throw new ExecRefused("it is not running");
    }
    const mounts = this.#volumes ? (workload.volumes ?? []) : [];
    // Nothing is awaited from here on, so that the Pod cannot end in between.
    const volumes = mounts.map(({ mountPath, sizeGb, ...volume }) => ({
      folder: this.#volumes!.folder(volume),
      mountPath,
      sizeBytes: sizeGb === undefined ? null : sizeGb * GIB,
    }));
    const { startedAt } = worker.observation;
    const facts = { workload, startedAt, at: this.#clock.now(), usage: worker.usage, volumes };
    return this.#shells.exec(podFactsOf({ ...facts, podGpus: this.#podGpus }), request);
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
      const pull = { clock: this.#clock, rule, report, pullMs: behavior.pullMs };
      await this.#pending.run(id, (stopped) => pullImage(workload, pull, stopped));
    } else {
      if (rule) requirePullable(rule, workload);
      report(null, "image_present");
    }
    if (rule?.program) return this.#startProgram(workload, rule, rule.program);
    for (;;) {
      const previous = this.#workers.get(id);
      if (previous?.observation.state !== "running") break;
      if (!previous.isStopping) return;
      await previous.ended;
    }
    const log = this.#logs.get(id) ?? new SimulatedLog();
    this.#logs.set(id, log);
    const onEnd = () => {
      this.#ports.close(id);
      log.wake();
      this.#shells.forget(id);
      this.#listeners.notify(id);
    };
    const opening = this.#ports.open(workload, rule);
    const ready = opening?.then(
      () => true,
      () => false,
    );
    const deps = { clock: this.#clock, transport: this.#transport, log, onEnd, rule, ready };
    const worker = new SimulatedWorker(workload, behavior, deps);
    this.#workers.set(id, worker);
    this.#workloads.set(id, workload);
    try {
      await opening;
    } catch (error) {
      // It was stopped meanwhile, or it never ran.
      if (worker.observation.state === "ended") return;
      worker.shutDown();
      this.#workers.delete(id);
      throw error;
    }
    this.#listeners.notify(id);
  }

  async #programChanged(id: string): Promise<void> {
    this.#listeners.notify(id);
    if (!(await this.#programs.isRunning(id))) this.#ports.close(id);
  }

  async #startProgram(workload: Workload, rule: ImageRule, command: string[]): Promise<void> {
    const { id } = workload;
    await this.#programs.start(workload, command);
    // A port that another program has is left out.
    await this.#ports.open(workload, rule)?.catch(() => {});
    if (!(await this.#programs.isRunning(id))) this.#ports.close(id);
  }

  async stop(id: string, graceMs: number): Promise<void> {
    this.#pending.stop(id);
    const program = this.#programs.of(id);
    if (program) {
      this.#ports.close(id);
      return program.stop(id, graceMs);
    }
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
    await this.#programs.of(id)?.wipe(id);
    this.#ports.close(id);
    this.#workers.delete(id);
    this.#workloads.delete(id);
  }

  async remove(id: string): Promise<void> {
    await this.wipe(id);
    await this.#programs.remove(id);
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
    this.#pending.stopAll();
    for (const worker of this.#workers.values()) worker.shutDown();
    this.#ports.closeAll();
    await this.#shells.close();
    await this.#programs.close();
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
