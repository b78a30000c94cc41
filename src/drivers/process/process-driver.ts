// Runs workloads as processes of this machine, for development and for hosts without a container
// engine. What it knows lives on disk, so after a crash of the service it finds its processes again
// and starts none twice. A process has the rights of the service: this separates, it does not jail.
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { type Clock, pause } from "../../base/clock.ts";
import { ChangeListeners } from "../change-listeners.ts";
import { takesNone } from "../connect.ts";
import type { Driver, LogLine, Sighting, Usage, Workload } from "../driver.ts";
import { Turns } from "../turns.ts";
import { isWorkloadId, refuseIllegalId } from "../workload-id.ts";
import { commandOf, takesNoCommand } from "./command.ts";
import { processEnvironment } from "./environment.ts";
import { GroupEnd } from "./group-end.ts";
import { homeWithout } from "./home.ts";
import { type Launch, launch } from "./launch.ts";
import { ProcessLog } from "./process-log.ts";
import { bootId } from "./process-table.ts";
import { recover } from "./recover.ts";
import { ChildGroup, SurvivingGroup } from "./running-group.ts";
import { ended, running } from "./sightings.ts";
import { usageOfGroups } from "./usage.ts";
import { REMOVED, type Run, WorkloadFolder } from "./workload-folder.ts";

export interface ProcessDriverOptions {
  /** Where each workload gets its folder. One driver at a time may hold it. */
  folder: string;
  clock: Clock;
  /** The service's own environment, of which a few harmless variables are handed on. */
  env: Record<string, string | undefined>;
  /** A log larger than this is rotated; at most twice as much is kept. */
  logMaxBytes?: number;
  /** How often logs are measured and survivors of an earlier life are looked at. */
  lookMs?: number;
}

/** How many folders are read at the same time when opening. */
const AT_ONCE = 32;

interface Known {
  folder: WorkloadFolder;
  log: ProcessLog;
  run: string;
  sighting: Sighting;
  group: ChildGroup | SurvivingGroup | null;
  ending: GroupEnd | null;
  /** True where only the log is left. */
  wiped?: boolean;
}

/** Finds again what an earlier driver on the same folder left running. */
export async function openProcessDriver(options: ProcessDriverOptions): Promise<Driver> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const driver = new ProcessDriver(options, await bootId());
  await driver.findAgain();
  driver.keepLooking();
  return driver;
}

class ProcessDriver implements Driver {
  readonly name = "process";
  readonly outlives = false;
  readonly exec = takesNoCommand;
  readonly quota = async () => null;
  readonly publishes = false;
  readonly dial = takesNone;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #serviceEnv: Record<string, string | undefined>;
  readonly #logMaxBytes: number;
  readonly #lookMs: number;
  readonly #boot: string;
  readonly #known = new Map<string, Known>();
  readonly #turns = new Turns();
  readonly #listeners = new ChangeListeners();
  readonly #closed = new AbortController();
  readonly #writing = new Set<Promise<unknown>>();
  #looking: Promise<void> = Promise.resolve();

  constructor(options: ProcessDriverOptions, boot: string) {
    this.#folder = options.folder;
    this.#clock = options.clock;
    this.#serviceEnv = options.env;
    this.#logMaxBytes = options.logMaxBytes ?? 10 * 1024 * 1024;
    this.#lookMs = options.lookMs ?? 1000;
    this.#boot = boot;
  }

  async list(): Promise<Sighting[]> {
    const there = [...this.#known.values()].filter(({ wiped }) => !wiped);
    return there.map(({ sighting }) => ({ ...sighting }));
  }

  /** Nobody knows when a process wrote a line, so `since` leaves none out. */
  async logs(id: string, tail: number): Promise<LogLine[]> {
    return this.#known.get(id)?.log.tail(tail) ?? [];
  }

  async *follow(
    id: string,
    after: string | null,
    gone: AbortSignal,
  ): AsyncGenerator<LogLine[], void> {
    const ended = () => this.#known.get(id)?.sighting.state !== "running";
    const log = this.#known.get(id)?.log;
    if (log) yield* log.follow(this.#clock, after, gone, ended);
  }

  async usage(): Promise<Usage[]> {
    const running = [...this.#known.values()].flatMap(({ sighting, group }) => {
      return group === null ? [] : [{ id: sighting.id, group: group.id }];
    });
    return usageOfGroups(running, this.#clock.now());
  }

  onChange(listener: (id: string) => void): () => void {
    return this.#listeners.add(listener);
  }

  async start(workload: Workload): Promise<void> {
    refuseIllegalId(workload.id);
    const command = commandOf(workload);
    const env = processEnvironment(this.#serviceEnv, workload.env);
    await this.#turns.take(workload.id, async () => {
      const before = this.#known.get(workload.id);
      await before?.ending?.done;
      if (before?.sighting.state !== "running") await this.#begin(workload, command, env);
    });
  }

  async #begin({ id, image, ...workload }: Workload, command: string[], env: Launch["env"]) {
    const folder = this.#folderOf(id);
    const run = await folder.begin({ id, image, command }, this.#clock.now(), this.#boot);
    if (env.HOME !== undefined && workload.env.HOME === undefined) {
      env.HOME = await homeWithout(env.HOME, folder.home);
    }
    const launched = await this.#launch({ id, command, env }, folder, run);
    const sighting = running(id, run.startedAt);
    const log = this.#known.get(id)?.log ?? this.#logOf(folder);
    const known: Known = { folder, log, run: run.run, sighting, group: null, ending: null };
    known.group = new ChildGroup(launched, (code, signal) => this.#end(known, code, signal));
    this.#known.set(id, known);
    this.#listeners.tell(id);
  }

  async #launch(
    { id, command, env }: Pick<Workload, "id" | "command" | "env">,
    folder: WorkloadFolder,
    run: Run,
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
      if (!this.#known.has(id)) await folder.remove();
      throw error;
    }
  }

  async stop(id: string, graceMs: number): Promise<void> {
    const ending = await this.#turns.take(id, async () => {
      const known = this.#known.get(id);
      if (!known?.group) return null;
      known.ending ??= new GroupEnd(this.#clock, graceMs, known.group, () => {
        // A child has said how it ended; of a survivor nobody knows.
        this.#end(known, null, null);
      });
      known.ending.hurry(this.#clock.now() + graceMs);
      return known.ending;
    });
    await ending?.done;
  }

  async wipe(id: string): Promise<void> {
    await this.#turns.take(id, async () => {
      const known = this.#ended(id);
      if (!known) return;
      await known.folder.wipe();
      known.wiped = true;
    });
  }

  async remove(id: string): Promise<void> {
    await this.#turns.take(id, async () => {
      const known = this.#ended(id);
      if (!known) return;
      await known.folder.remove();
      this.#known.delete(id);
    });
  }

  #ended(id: string): Known | undefined {
    const known = this.#known.get(id);
    if (known?.sighting.state !== "running") return known;
    throw new Error(`Workload ${id} still runs: stop it before it is removed.`);
  }

  /** There are none: `start` refuses them. */
  async removeVolume(): Promise<void> {}

  async close(): Promise<void> {
    this.#closed.abort();
    this.#listeners.clear();
    await this.#looking;
    await Promise.all(this.#writing);
  }

  #folderOf(id: string): WorkloadFolder {
    return new WorkloadFolder(path.join(this.#folder, id));
  }

  #logOf(folder: WorkloadFolder): ProcessLog {
    return new ProcessLog(folder.log, this.#logMaxBytes);
  }

  /** Notes an end once. What is on disk is for a later life only, so nobody waits for it. */
  #end(known: Known, exitCode: number | null, signal: string | null): void {
    const { sighting, folder, log, run } = known;
    if (sighting.state === "ended" || this.#closed.signal.aborted) return;
    const endedAt = this.#clock.now();
    Object.assign(sighting, { state: "ended", endedAt, exitCode, signal });
    known.group = null;
    const record = { run, startedAt: sighting.startedAt, endedAt, exitCode, signal };
    this.#write(this.#turns.take(sighting.id, () => folder.recordEnd(record)));
    this.#write(log.rotate());
    this.#listeners.tell(sighting.id);
  }

  /** A write that fails (a full disk) loses an exit code or delays a rotation, and no more. */
  #write(work: Promise<unknown>): void {
    const writing: Promise<unknown> = work
      .catch(() => {})
      .then(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  async findAgain(): Promise<void> {
    const names = await readdir(this.#folder);
    for (let at = 0; at < names.length; at += AT_ONCE) {
      await Promise.all(names.slice(at, at + AT_ONCE).map((name) => this.#findOneAgain(name)));
    }
  }

  async #findOneAgain(name: string): Promise<void> {
    if (name.startsWith(REMOVED)) {
      return rm(path.join(this.#folder, name), { recursive: true, force: true });
    }
    if (!isWorkloadId(name)) return;
    const folder = this.#folderOf(name);
    const log = this.#logOf(folder);
    const found = await recover(folder, this.#boot);
    if (!found) return;
    const { run } = found;
    if ("ended" in found) {
      const sighting = ended(name, found.ended);
      this.#known.set(name, { folder, log, run, sighting, group: null, ending: null });
    } else {
      const { group, startedAt } = found;
      const sighting = running(name, startedAt);
      const known = { folder, log, run, sighting, group, ending: null };
      this.#known.set(name, known);
      await this.#lookAtSurvivor(known, group);
    }
  }

  async #lookAtSurvivor(known: Known, group: SurvivingGroup | null): Promise<void> {
    if (await group?.leaderLives()) return;
    await group?.endRest();
    this.#end(known, null, null);
  }

  keepLooking(): void {
    this.#looking = (async () => {
      for (;;) {
        await pause(this.#clock, this.#lookMs, this.#closed.signal);
        if (this.#closed.signal.aborted) return;
        for (const known of [...this.#known.values()]) {
          // What cannot be looked at this time (no file handle is free) is looked at the next time.
          if (known.group) await this.#look(known, known.group).catch(() => {});
        }
      }
    })();
  }

  async #look(known: Known, group: ChildGroup | SurvivingGroup): Promise<void> {
    if (group instanceof SurvivingGroup) await this.#lookAtSurvivor(known, group);
    await known.log.rotate();
  }
}
