// The process driver: runs workloads as processes of this machine, for development and for hosts
// without a container engine. Its state is on disk, so after a crash of the service it finds its
// processes again and starts none twice. A process has the rights of the service: it is not isolated.

import { mkdir } from "node:fs/promises";
import type { Duplex } from "node:stream";
import type { Clock } from "../../base/clock.ts";
import { MIB } from "../../base/units.ts";
import { NotReached } from "../../domain/container/unreachable-port.ts";
import { ChangeListeners } from "../change-listeners.ts";
import { connectTo, freeLoopbackPort } from "../connection.ts";
import type { Driver, LogLine, Observation, Usage, Workload } from "../driver.ts";
import { KeyedMutex } from "../keyed-mutex.ts";
import { requireWorkloadId } from "../workload-id.ts";
import { commandOf, refuseExec } from "./command.ts";
import { processEnvironment } from "./environment.ts";
import { GroupTermination } from "./group-termination.ts";
import { homeFor } from "./home.ts";
import { type LaunchSpec, launch } from "./launch.ts";
import { OrphanWatch } from "./orphans/orphan-watch.ts";
import { bootId } from "./process-table.ts";
import { ChildGroup } from "./running-group.ts";
import { runningObservation, type TrackedWorkload, TrackedWorkloads } from "./tracked-workloads.ts";
import { readGroupUsage } from "./usage.ts";
import type { ProcessRun, WorkloadFolder } from "./workload-folder.ts";

export interface ProcessDriverOptions {
  /** The folder that holds one folder per workload. Only one driver at a time may use it. */
  folder: string;
  clock: Clock;
  /** The service's own environment; processes inherit a few harmless variables of it. */
  env: Record<string, string | undefined>;
  /** A larger log is rotated; at most twice as much is kept. */
  logMaxBytes?: number;
  /** How often log sizes and the survivors of a restart are checked. */
  pollMs?: number;
  /** How long processes run on after the end of their service; by default two minutes. */
  orphanSeconds?: number;
}

/** Finds the workloads that an earlier driver on the same folder left running. */
export async function openProcessDriver(options: ProcessDriverOptions): Promise<Driver> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const orphans = new OrphanWatch(options.folder, options.orphanSeconds);
  await orphans.takeOver();
  const driver = new ProcessDriver(options, orphans, await bootId());
  await driver.open();
  return driver;
}

class ProcessDriver implements Driver {
  readonly name = "process";
  readonly survivesRestart = false;
  readonly exec = refuseExec;
  readonly quota = async () => null;
  readonly publishesPorts = false;
  readonly freePort = freeLoopbackPort;
  readonly #orphans: OrphanWatch;
  readonly #clock: Clock;
  readonly #serviceEnv: Record<string, string | undefined>;
  readonly #pollMs: number;
  readonly #workloads: TrackedWorkloads;
  readonly #bootId: string;
  readonly #mutex = new KeyedMutex();
  readonly #listeners = new ChangeListeners();
  readonly #closed = new AbortController();
  #polling: Promise<void> = Promise.resolve();

  constructor(options: ProcessDriverOptions, orphans: OrphanWatch, bootId: string) {
    this.#orphans = orphans;
    this.#clock = options.clock;
    this.#serviceEnv = options.env;
    this.#pollMs = options.pollMs ?? 1000;
    this.#bootId = bootId;
    this.#workloads = new TrackedWorkloads({
      folder: options.folder,
      clock: options.clock,
      bootId,
      orphans,
      logMaxBytes: options.logMaxBytes ?? 10 * MIB,
      mutex: this.#mutex,
      listeners: this.#listeners,
      closed: this.#closed.signal,
    });
  }

  async open(): Promise<void> {
    await this.#workloads.recover();
    this.#polling = this.#workloads.watch(this.#pollMs);
  }

  async list(): Promise<Observation[]> {
    const workloads = this.#workloads.all().filter(({ isWiped }) => !isWiped);
    return workloads.map(({ observation }) => ({ ...observation }));
  }

  /** A process's log holds no times, so `since` omits nothing. */
  async logs(id: string, tail: number): Promise<LogLine[]> {
    return this.#workloads.get(id)?.log.tail(tail) ?? [];
  }

  async *follow(
    id: string,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<LogLine[], void> {
    const hasEnded = () => this.#workloads.get(id)?.observation.state !== "running";
    const log = this.#workloads.get(id)?.log;
    if (log) yield* log.follow(this.#clock, after, signal, hasEnded);
  }

  /**
   * Only ports that the service chose for the workload: any other port of the machine may belong to
   * another program.
   */
  async dial(id: string, port: number): Promise<Duplex> {
    const workload = this.#workloads.get(id);
    if (workload?.observation.state !== "running") throw new NotReached("not_running");
    if (!workload.givenPorts.includes(port)) throw new NotReached("no_ports");
    return connectTo("127.0.0.1", port, this.#clock);
  }

  async usage(): Promise<Usage[]> {
    const running = this.#workloads.all().flatMap(({ observation, group }) => {
      return group === null ? [] : [{ id: observation.id, group: group.id }];
    });
    return readGroupUsage(running, this.#clock.now());
  }

  onChange(listener: (id: string) => void): () => void {
    return this.#listeners.add(listener);
  }

  async start(workload: Workload): Promise<void> {
    requireWorkloadId(workload.id);
    const command = commandOf(workload);
    const env = processEnvironment(this.#serviceEnv, workload.env);
    await this.#mutex.run(workload.id, async () => {
      const previous = this.#workloads.get(workload.id);
      await previous?.termination?.done;
      if (previous?.observation.state !== "running") await this.#begin(workload, command, env);
    });
  }

  async #begin({ id, image, ...workload }: Workload, command: string[], env: LaunchSpec["env"]) {
    const folder = this.#workloads.folderOf(id);
    const { givenPorts = [] } = workload;
    const run = await folder.begin(
      { id, image, command, givenPorts },
      this.#clock.now(),
      this.#bootId,
    );
    if (env.HOME !== undefined && workload.env.HOME === undefined) {
      env.HOME = await homeFor(env.HOME, folder.home);
    }
    this.#orphans.begin();
    const launched = await this.#launch({ id, command, env }, folder, run);
    const observation = runningObservation(id, run.startedAt);
    const log = this.#workloads.get(id)?.log ?? this.#workloads.logOf(folder);
    const tracked = this.#workloads.add({
      folder,
      log,
      run: run.run,
      observation,
      group: null,
      givenPorts,
    });
    tracked.group = new ChildGroup(launched, (code, signal) =>
      this.#workloads.end(tracked, code, signal),
    );
    this.#listeners.notify(id);
  }

  async #launch(
    { id, command, env }: Pick<Workload, "id" | "command" | "env">,
    folder: WorkloadFolder,
    run: ProcessRun,
  ) {
    try {
      return await launch({
        command,
        env,
        workingFolder: folder.working,
        logPath: folder.log,
        notePath: folder.notePath(run.run),
        claimPath: folder.claimPath(run.run),
      });
    } catch (error) {
      if (!this.#workloads.get(id)) await folder.remove();
      throw error;
    }
  }

  async stop(id: string, graceMs: number): Promise<void> {
    const termination = await this.#mutex.run(id, async () => {
      const workload = this.#workloads.get(id);
      if (!workload?.group) return null;
      workload.termination ??= new GroupTermination(this.#clock, graceMs, workload.group, () => {
        // The end of a child is recorded already; how a survivor ended is unknown.
        this.#workloads.end(workload, null, null);
      });
      workload.termination.advanceKill(this.#clock.ticks() + graceMs);
      return workload.termination;
    });
    await termination?.done;
  }

  async wipe(id: string): Promise<void> {
    await this.#mutex.run(id, async () => {
      const workload = this.#requireEnded(id);
      if (!workload) return;
      await workload.folder.wipe();
      workload.isWiped = true;
    });
  }

  async remove(id: string): Promise<void> {
    await this.#mutex.run(id, async () => {
      const workload = this.#requireEnded(id);
      if (!workload) return;
      await workload.folder.remove();
      this.#workloads.delete(id);
    });
  }

  #requireEnded(id: string): TrackedWorkload | undefined {
    const workload = this.#workloads.get(id);
    if (workload?.observation.state !== "running") return workload;
    throw new Error(`Workload ${id} is running: stop it before you remove it.`);
  }

  /** `start` refuses volumes, so there are none. */
  async removeVolume(): Promise<void> {}

  /** Processes use their machine's network. */
  async removeNetwork(): Promise<void> {}

  async close(): Promise<void> {
    this.#closed.abort();
    this.#listeners.clear();
    await this.#polling;
    await this.#workloads.finishWrites();
    this.#orphans.end();
  }
}
