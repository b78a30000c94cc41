// The folder of one workload, readable only by the service's user (0700):
//   work/            the process's working folder
//   home/            its home folder, if parts of the service's must be hidden; see home.ts
//   log, log.1       its log, and the rotated part; log.cut: the number of bytes before those of log
//   workload.json    the last start; without the environment, so without secrets
//   note-<run>, claim-<run>   written by the starting process; see launch.ts
//   ended.json       the end of the last run that ended

import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Workload } from "../driver.ts";

/** One start of a workload; `run` identifies it. */
export interface ProcessRun {
  id: string;
  run: string;
  image: string;
  command: string[];
  /** Ports that the service chose for it; absent in older records. */
  givenPorts?: number[];
  startedAt: number;
  /** The boot of the machine that the pid belongs to. */
  boot: string;
}

export interface EndRecord {
  run: string;
  startedAt: number;
  endedAt: number;
  exitCode: number | null;
  signal: string | null;
}

/** The note that a process wrote about itself; a pid of 0 is unknown. See process-table.ts. */
export interface WorkloadNote {
  pid: number;
  birthNote: string;
}

const VOID = "void";

export class WorkloadFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get working(): string {
    return path.join(this.path, "work");
  }
  get home(): string {
    return path.join(this.path, "home");
  }
  get log(): string {
    return path.join(this.path, "log");
  }
  notePath(run: string): string {
    return path.join(this.path, `note-${run}`);
  }
  claimPath(run: string): string {
    return path.join(this.path, `claim-${run}`);
  }

  async begin(
    workload: Pick<Workload, "id" | "image" | "command" | "givenPorts">,
    startedAt: number,
    boot: string,
  ): Promise<ProcessRun> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    await this.wipe();
    await mkdir(this.working, { recursive: true, mode: 0o700 });
    await this.#forgetEndedRun();
    const run = { ...workload, run: randomBytes(8).toString("hex"), startedAt, boot };
    await this.#write("workload.json", run);
    return run;
  }

  /** A run that ended has its claim, so no process can claim it later and its files are not needed. */
  async #forgetEndedRun(): Promise<void> {
    const [last, ended] = [await this.lastRun(), await this.lastEnd()];
    if (!last || last.run !== ended?.run) return;
    await rm(this.notePath(last.run), { force: true });
    await rm(this.claimPath(last.run), { force: true });
  }

  lastRun(): Promise<ProcessRun | null> {
    return this.#read<ProcessRun>("workload.json");
  }

  lastEnd(): Promise<EndRecord | null> {
    return this.#read<EndRecord>("ended.json");
  }

  recordEnd(ended: EndRecord): Promise<void> {
    return this.#write("ended.json", ended);
  }

  /** The process that claimed the run; null if there is none, and from now on there cannot be one. */
  async claimant(run: string): Promise<WorkloadNote | null> {
    try {
      await writeFile(this.claimPath(run), VOID, { flag: "wx", mode: 0o600 });
      return null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if ((await readFile(this.claimPath(run), "utf8")) === VOID) return null;
    const note = await readFile(this.notePath(run), "utf8").catch(() => "");
    const [, pid = 0, birthNote = ""] = /^(\d+) (.*)$/m.exec(note) ?? [];
    return { pid: Number(pid), birthNote };
  }

  /** Removes the files that the run wrote. */
  async wipe(): Promise<void> {
    for (const folder of [this.working, this.home])
      await rm(folder, { recursive: true, force: true });
  }

  /** Renames the folder first, so that a crash in between leaves no folder that looks valid. */
  async remove(): Promise<void> {
    const renamed = path.join(
      path.dirname(this.path),
      `${REMOVED}${randomBytes(8).toString("hex")}`,
    );
    await rename(this.path, renamed);
    await rm(renamed, { recursive: true, force: true });
  }

  async #read<T>(name: string): Promise<T | null> {
    try {
      return JSON.parse(await readFile(path.join(this.path, name), "utf8")) as T;
    } catch {
      return null;
    }
  }

  async #write(name: string, value: unknown): Promise<void> {
    const temporaryPath = path.join(this.path, `${name}.new`);
    const file = await open(temporaryPath, "w", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(value)}\n`);
    } finally {
      await file.close();
    }
    await rename(temporaryPath, path.join(this.path, name));
  }
}

/** The prefix of folders that are being removed; no workload id can begin with it. */
export const REMOVED = ".removed-";
