// The process driver: runs workloads as processes of this machine, for development and for hosts
// without a container engine. Its state is on disk, so after a crash of the service it finds its
// processes again and starts none twice. A process has the rights of the service: it is not isolated.
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Duplex } from "node:stream";
import { type Clock, pause } from "../../base/clock.ts";
import { NotReached } from "../../domain/container/unreachable-port.ts";
import { ChangeListeners } from "../change-listeners.ts";
import { connectTo, freeLoopbackPort } from "../connection.ts";
import type { Driver, LogLine, Observation, Usage, Workload } from "../driver.ts";
import { KeyedMutex } from "../keyed-mutex.ts";
import { isWorkloadId, requireWorkloadId } from "../workload-id.ts";
import { commandOf, refuseExec } from "./command.ts";
import { processEnvironment } from "./environment.ts";
import { GroupTermination } from "./group-termination.ts";
import { homeFor } from "./home.ts";
import { type LaunchSpec, launch } from "./launch.ts";
import { endedObservation, runningObservation } from "./observations.ts";
import { OrphanWatch } from "./orphans/orphan-watch.ts";
import { ProcessLog } from "./process-log.ts";
import { bootId } from "./process-table.ts";
import { recoverRun } from "./recovered-run.ts";
import { ChildGroup, SurvivingGroup } from "./running-group.ts";
import { readGroupUsage } from "./usage.ts";
import { type ProcessRun, REMOVED, WorkloadFolder } from "./workload-folder.ts";

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

/** How many folders are read in parallel when the driver opens. */
const MAX_PARALLEL_READS = 32;

interface TrackedWorkload {
  folder: WorkloadFolder;
  log: ProcessLog;
  run: string;
  observation: Observation;
  group: ChildGroup | SurvivingGroup | null;
  termination: GroupTermination | null;
  /** Ports that the service chose for it. */
  givenPorts: readonly number[];
  /** True if only the log is left. */
  isWiped?: boolean;
}

/** Finds the workloads that an earlier driver on the same folder left running. */
export async function openProcessDriver(options: ProcessDriverOptions): Promise<Driver> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const orphans = new OrphanWatch(options.folder, options.orphanSeconds);
  await orphans.takeOver();
  const driver = new ProcessDriver(options, orphans, await bootId());
  await driver.recoverAll();
  driver.startPolling();
  return driver;
}

class ProcessDriver implements Driver {
  readonly name = "process";
  readonly survivesRestart = false;
  readonly exec = refuseExec;
  readonly quota = async () => null;
  readonly publishesPorts = false;
  readonly freePort = freeLoopbackPort;
  readonly #folder: string;
  readonly #orphans: OrphanWatch;
  readonly #clock: Clock;
  readonly #serviceEnv: Record<string, string | undefined>;
  readonly #logMaxBytes: number;
  readonly #pollMs: number;
  readonly #bootId: string;
  readonly #workloads = new Map<string, TrackedWorkload>();
  readonly #mutex = new KeyedMutex();
  readonly #listeners = new ChangeListeners();
  readonly #closed = new AbortController();
  readonly #pendingWrites = new Set<Promise<unknown>>();
  #polling: Promise<void> = Promise.resolve();

  constructor(options: ProcessDriverOptions, orphans: OrphanWatch, bootId: string) {
    this.#orphans = orphans;
    this.#folder = options.folder;
    this.#clock = options.clock;
    this.#serviceEnv = options.env;
    this.#logMaxBytes = options.logMaxBytes ?? 10 * 1024 * 1024;
    this.#pollMs = options.pollMs ?? 1000;
    this.#bootId = bootId;
  }

  async list(): Promise<Observation[]> {
    const workloads = [...this.#workloads.values()].filter(({ isWiped }) => !isWiped);
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
    const running = [...this.#workloads.values()].flatMap(({ observation, group }) => {
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
    const folder = this.#folderOf(id);
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
    const log = this.#workloads.get(id)?.log ?? this.#logOf(folder);
    const tracked = this.#track({
      folder,
      log,
      run: run.run,
      observation,
      group: null,
      givenPorts,
    });
    tracked.group = new ChildGroup(launched, (code, signal) => this.#end(tracked, code, signal));
    this.#listeners.notify(id);
  }

  #track(state: Omit<TrackedWorkload, "termination">): TrackedWorkload {
    const workload = { ...state, termination: null };
    this.#workloads.set(state.observation.id, workload);
    return workload;
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
      if (!this.#workloads.has(id)) await folder.remove();
      throw error;
    }
  }

  async stop(id: string, graceMs: number): Promise<void> {
    const termination = await this.#mutex.run(id, async () => {
      const workload = this.#workloads.get(id);
      if (!workload?.group) return null;
      workload.termination ??= new GroupTermination(this.#clock, graceMs, workload.group, () => {
        // The end of a child is recorded already; how a survivor ended is unknown.
        this.#end(workload, null, null);
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
    await Promise.all(this.#pendingWrites);
    this.#orphans.end();
  }

  #folderOf(id: string): WorkloadFolder {
    return new WorkloadFolder(path.join(this.#folder, id));
  }

  #logOf(folder: WorkloadFolder): ProcessLog {
    return new ProcessLog(folder.log, this.#logMaxBytes);
  }

  /** Records an end once. Only a later driver reads the record on disk, so no caller waits for it. */
  #end(workload: TrackedWorkload, exitCode: number | null, signal: string | null): void {
    const { observation, folder, log, run } = workload;
    if (observation.state === "ended" || this.#closed.signal.aborted) return;
    const endedAt = this.#clock.now();
    Object.assign(observation, { state: "ended", endedAt, exitCode, signal });
    workload.group = null;
    const record = { run, startedAt: observation.startedAt, endedAt, exitCode, signal };
    this.#write(this.#mutex.run(observation.id, () => folder.recordEnd(record)));
    this.#write(log.rotate());
    this.#listeners.notify(observation.id);
  }

  /** A failed write (a full disk) only loses an exit code or delays a rotation. */
  #write(work: Promise<unknown>): void {
    const pending: Promise<unknown> = work
      .catch(() => {})
      .then(() => this.#pendingWrites.delete(pending));
    this.#pendingWrites.add(pending);
  }

  async recoverAll(): Promise<void> {
    const names = await readdir(this.#folder);
    for (let at = 0; at < names.length; at += MAX_PARALLEL_READS) {
      await Promise.all(
        names.slice(at, at + MAX_PARALLEL_READS).map((name) => this.#recoverOne(name)),
      );
    }
  }

  async #recoverOne(name: string): Promise<void> {
    if (name.startsWith(REMOVED)) {
      return rm(path.join(this.#folder, name), { recursive: true, force: true });
    }
    if (!isWorkloadId(name)) return;
    const folder = this.#folderOf(name);
    const log = this.#logOf(folder);
    const recovered = await recoverRun(folder, this.#bootId);
    if (!recovered) return;
    const { run } = recovered;
    if ("end" in recovered) {
      const observation = endedObservation(name, recovered.end);
      this.#track({ folder, log, run, observation, group: null, givenPorts: [] });
    } else {
      const { group, startedAt, givenPorts } = recovered;
      const observation = runningObservation(name, startedAt);
      const tracked = this.#track({ folder, log, run, observation, group, givenPorts });
      if (group) this.#orphans.begin();
      await this.#checkSurvivor(tracked, group);
    }
  }

  async #checkSurvivor(workload: TrackedWorkload, group: SurvivingGroup | null): Promise<void> {
    if (await group?.isLeaderAlive()) return;
    await group?.killRest();
    this.#end(workload, null, null);
  }

  startPolling(): void {
    this.#polling = (async () => {
      for (;;) {
        await pause(this.#clock, this.#pollMs, this.#closed.signal);
        if (this.#closed.signal.aborted) return;
        for (const workload of [...this.#workloads.values()]) {
          // A check that fails (no file handle is free) is repeated in the next pass.
          if (workload.group) await this.#check(workload, workload.group).catch(() => {});
        }
      }
    })();
  }

  async #check(workload: TrackedWorkload, group: ChildGroup | SurvivingGroup): Promise<void> {
    if (group instanceof SurvivingGroup) await this.#checkSurvivor(workload, group);
    await workload.log.rotate();
  }
}
