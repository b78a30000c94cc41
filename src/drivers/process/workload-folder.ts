// What is kept on disk about one workload, in a folder that only we may read (0700):
//   work/            the process's working folder
//   home/            the home it sees, where it may not see all of the service's, see home.ts
//   log, log.1       what it printed, and the part before that; log.cut: bytes before those of log
//   workload.json    what was started last, and when; no environment, so no secrets
//   note-<run>, claim-<run>   written by the starting process, see launch.ts
//   ended.json       how the last run that ended did so
import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Workload } from "../driver.ts";

/** One start of a workload; `run` tells it from the starts before it. */
export interface Run {
  id: string;
  run: string;
  image: string;
  command: string[];
  startedAt: number;
  /** The boot of the machine that the pid belongs to. */
  boot: string;
}

export interface Ended {
  run: string;
  startedAt: number;
  endedAt: number;
  exitCode: number | null;
  signal: string | null;
}

/** A process's own word about itself; a pid of 0 is nobody's. For the rest see process-table.ts. */
export interface Note {
  pid: number;
  birthNote: string;
}

const VOID = "void";

export class WorkloadFolder {
  readonly at: string;

  constructor(at: string) {
    this.at = at;
  }

  get working(): string {
    return path.join(this.at, "work");
  }
  get home(): string {
    return path.join(this.at, "home");
  }
  get log(): string {
    return path.join(this.at, "log");
  }
  notePath(run: string): string {
    return path.join(this.at, `note-${run}`);
  }
  claimPath(run: string): string {
    return path.join(this.at, `claim-${run}`);
  }

  async begin(
    workload: Pick<Workload, "id" | "image" | "command">,
    startedAt: number,
    boot: string,
  ): Promise<Run> {
    await mkdir(this.at, { recursive: true, mode: 0o700 });
    await this.wipe();
    await mkdir(this.working, { recursive: true, mode: 0o700 });
    await this.#forgetEndedRun();
    const { id, image, command } = workload;
    const run = { id, run: randomBytes(8).toString("hex"), image, command, startedAt, boot };
    await this.#write("workload.json", run);
    return run;
  }

  /** A run that ended has claimed, so nobody can come late and its marks are no longer needed. */
  async #forgetEndedRun(): Promise<void> {
    const [last, ended] = [await this.lastRun(), await this.lastEnd()];
    if (!last || last.run !== ended?.run) return;
    await rm(this.notePath(last.run), { force: true });
    await rm(this.claimPath(last.run), { force: true });
  }

  lastRun(): Promise<Run | null> {
    return this.#read<Run>("workload.json");
  }

  lastEnd(): Promise<Ended | null> {
    return this.#read<Ended>("ended.json");
  }

  recordEnd(ended: Ended): Promise<void> {
    return this.#write("ended.json", ended);
  }

  /** Who runs it; null if nobody ever does, which from now on is certain. */
  async claimant(run: string): Promise<Note | null> {
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

  /** What a run wrote does not outlive it. */
  async wipe(): Promise<void> {
    for (const own of [this.working, this.home]) await rm(own, { recursive: true, force: true });
  }

  /** Gone in one step first, so that a crash in the middle leaves nothing that looks alive. */
  async remove(): Promise<void> {
    const aside = path.join(path.dirname(this.at), `${REMOVED}${randomBytes(8).toString("hex")}`);
    await rename(this.at, aside);
    await rm(aside, { recursive: true, force: true });
  }

  async #read<T>(name: string): Promise<T | null> {
    try {
      return JSON.parse(await readFile(path.join(this.at, name), "utf8")) as T;
    } catch {
      return null;
    }
  }

  async #write(name: string, value: unknown): Promise<void> {
    const temporary = path.join(this.at, `${name}.new`);
    const file = await open(temporary, "w", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(value)}\n`);
    } finally {
      await file.close();
    }
    await rename(temporary, path.join(this.at, name));
  }
}

/** Folders that a crash left half removed begin so; no workload's id can. */
export const REMOVED = ".removed-";
