// The workloads that a process driver knows: those that it started, and those that an earlier driver on the same
// folder left. The end of each is recorded once, in memory and on disk.

import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { type Clock, pause } from "../../base/clock.ts";
import type { ChangeListeners } from "../change-listeners.ts";
import type { Observation } from "../driver.ts";
import type { KeyedMutex } from "../keyed-mutex.ts";
import { isWorkloadId } from "../workload-id.ts";
import type { GroupTermination } from "./group-termination.ts";
import type { OrphanWatch } from "./orphans/orphan-watch.ts";
import { ProcessLog } from "./process-log.ts";
import { type ChildGroup, SurvivingGroup } from "./running-group.ts";
import { type EndRecord, REMOVED, WorkloadFolder } from "./workload-folder.ts";

/** How many folders are read in parallel when the driver opens. */
const MAX_PARALLEL_READS = 32;

export interface TrackedWorkload {
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

interface TrackingDeps {
  /** The folder that holds one folder per workload. */
  folder: string;
  clock: Clock;
  bootId: string;
  logMaxBytes: number;
  mutex: KeyedMutex;
  listeners: ChangeListeners;
  orphans: OrphanWatch;
  /** Aborts when the driver closes; ends that come later are not its own to record. */
  closed: AbortSignal;
}

export class TrackedWorkloads {
  readonly #deps: TrackingDeps;
  readonly #workloads = new Map<string, TrackedWorkload>();
  readonly #pendingWrites = new Set<Promise<unknown>>();

  constructor(deps: TrackingDeps) {
    this.#deps = deps;
  }

  get(id: string): TrackedWorkload | undefined {
    return this.#workloads.get(id);
  }

  all(): TrackedWorkload[] {
    return [...this.#workloads.values()];
  }

  add(state: Omit<TrackedWorkload, "termination">): TrackedWorkload {
    const workload = { ...state, termination: null };
    this.#workloads.set(state.observation.id, workload);
    return workload;
  }

  delete(id: string): void {
    this.#workloads.delete(id);
  }

  folderOf(id: string): WorkloadFolder {
    return new WorkloadFolder(path.join(this.#deps.folder, id));
  }

  logOf(folder: WorkloadFolder): ProcessLog {
    return new ProcessLog(folder.log, this.#deps.logMaxBytes);
  }

  /** Records an end once. Only a later driver reads the record on disk, so no caller waits for it. */
  end(workload: TrackedWorkload, exitCode: number | null, signal: string | null): void {
    const { clock, closed, mutex, listeners } = this.#deps;
    const { observation, folder, log, run } = workload;
    if (observation.state === "ended" || closed.aborted) return;
    const endedAt = clock.now();
    Object.assign(observation, { state: "ended", endedAt, exitCode, signal });
    workload.group = null;
    const record = { run, startedAt: observation.startedAt, endedAt, exitCode, signal };
    this.#write(mutex.run(observation.id, () => folder.recordEnd(record)));
    this.#write(log.rotate());
    listeners.notify(observation.id);
  }

  /** A failed write (a full disk) only loses an exit code or delays a rotation. */
  #write(work: Promise<unknown>): void {
    const pending: Promise<unknown> = work
      .catch(() => {})
      .then(() => this.#pendingWrites.delete(pending));
    this.#pendingWrites.add(pending);
  }

  async finishWrites(): Promise<void> {
    await Promise.all(this.#pendingWrites);
  }

  /** Finds the workloads of the driver that had the folder before. */
  async recover(): Promise<void> {
    const names = await readdir(this.#deps.folder);
    for (let at = 0; at < names.length; at += MAX_PARALLEL_READS) {
      await Promise.all(
        names.slice(at, at + MAX_PARALLEL_READS).map((name) => this.#recoverOne(name)),
      );
    }
  }

  async #recoverOne(name: string): Promise<void> {
    const { folder: parent, bootId, orphans } = this.#deps;
    if (name.startsWith(REMOVED)) {
      return rm(path.join(parent, name), { recursive: true, force: true });
    }
    if (!isWorkloadId(name)) return;
    const folder = this.folderOf(name);
    const log = this.logOf(folder);
    const recovered = await recoverRun(folder, bootId);
    if (!recovered) return;
    const { run } = recovered;
    if ("end" in recovered) {
      const observation = endedObservation(name, recovered.end);
      this.add({ folder, log, run, observation, group: null, givenPorts: [] });
    } else {
      const { group, startedAt, givenPorts } = recovered;
      const observation = runningObservation(name, startedAt);
      const tracked = this.add({ folder, log, run, observation, group, givenPorts });
      if (group) orphans.begin();
      await this.#checkSurvivor(tracked, group);
    }
  }

  /** Checks survivors and the sizes of logs until the driver closes. */
  async watch(periodMs: number): Promise<void> {
    const { clock, closed } = this.#deps;
    for (;;) {
      await pause(clock, periodMs, closed);
      if (closed.aborted) return;
      for (const workload of this.all()) {
        // A check that fails (no file handle is free) is repeated in the next pass.
        if (workload.group) await this.#check(workload, workload.group).catch(() => {});
      }
    }
  }

  async #check(workload: TrackedWorkload, group: ChildGroup | SurvivingGroup): Promise<void> {
    if (group instanceof SurvivingGroup) await this.#checkSurvivor(workload, group);
    await workload.log.rotate();
  }

  async #checkSurvivor(workload: TrackedWorkload, group: SurvivingGroup | null): Promise<void> {
    if (await group?.isLeaderAlive()) return;
    await group?.killRest();
    this.end(workload, null, null);
  }
}

type RecoveredRun =
  /** It had ended already. */
  | { run: string; end: EndRecord }
  /** It was running. Its group may have survived; null after a reboot of the machine. */
  | { run: string; startedAt: number; group: SurvivingGroup | null; givenPorts: number[] };

/** Null if nothing ever ran here; a start that a crash interrupted is undone. */
async function recoverRun(folder: WorkloadFolder, bootId: string): Promise<RecoveredRun | null> {
  const [last, end] = [await folder.lastRun(), await folder.lastEnd()];
  if (!last) return null;
  if (end?.run === last.run) return { run: last.run, end };
  const note = await folder.claimant(last.run);
  if (note) {
    const group = last.boot === bootId ? new SurvivingGroup(note, folder.path) : null;
    const { run, startedAt, givenPorts = [] } = last;
    return { run, startedAt, group, givenPorts };
  }
  // The last start never happened: the workload is as the run before it left it, if there was one.
  if (end) return { run: end.run, end };
  await folder.remove();
  return null;
}

export function runningObservation(id: string, startedAt: number): Observation {
  return { id, state: "running", startedAt, endedAt: null, exitCode: null, signal: null };
}

function endedObservation(
  id: string,
  { startedAt, endedAt, exitCode, signal }: EndRecord,
): Observation {
  return { id, state: "ended", startedAt, endedAt, exitCode, signal };
}
