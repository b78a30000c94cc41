// The files of a volume whose folder is on this machine.

import { execFile } from "node:child_process";
import { link, mkdir, readdir, rename, rmdir, stat, statfs, unlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { systemClock } from "../../base/clock.ts";
import { HIDDEN_STAGING } from "../../domain/s3/object-key.ts";
import type {
  FileFacts,
  Names,
  OpenFile,
  StagedFacts,
  StagedFile,
  VolumeChild,
  VolumeEntry,
  VolumeFiles,
} from "../volume-files.ts";
import { fileStats } from "./file-stats.ts";
import { FolderCache } from "./folder-cache.ts";
import { FolderHandle, inFolder, inNewFolder } from "./folder-handle.ts";
import { isMissing } from "./missing.ts";
import { factsOf, openRegular } from "./opened-file.ts";
import { createStaged } from "./staged-file.ts";

const run = promisify(execFile);

/** Where the files of a volume are. */
export interface VolumePlace {
  /** The folder that workloads mount. */
  root: string;
  /** A folder on the same file system; below the root only if nothing else is on it. */
  staging: string;
}

/** Fewer files are looked at sooner than a thread starts. */
const MIN_FOR_THREAD = 200;
/** A folder that is removed while a file is placed in it is created again, this many times. */
const MAX_TRIES = 5;

export class LocalVolumeFiles implements VolumeFiles {
  readonly #place: VolumePlace;
  readonly #cache = new FolderCache();

  constructor(place: VolumePlace) {
    this.#place = place;
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#place.root);
    return bavail * bsize;
  }

  async usedBytes(): Promise<number> {
    // Only the one in the root: a key may have this name further down.
    const without = `--exclude=./${HIDDEN_STAGING}`;
    const options = { cwd: this.#place.root };
    const { stdout } = await run("du", ["-s", "-B1", "-x", without, "--", "."], options);
    return Number(stdout.split("\t")[0]);
  }

  async children(folder: Names): Promise<readonly VolumeChild[] | null> {
    return inFolder(this.#place.root, folder, async (handle) => {
      const version = await handle.stat();
      const key = folder.join("/");
      const cached = this.#cache.find(key, version);
      if (cached) return cached;
      // The clock of this machine, by which its file systems date what changes.
      const nowNs = BigInt(systemClock.now()) * 1_000_000n;
      const children = await this.#read(handle, folder.length === 0);
      this.#cache.keep(key, version, children, nowNs);
      return children;
    });
  }

  async #read(handle: FolderHandle, isRoot: boolean): Promise<VolumeChild[]> {
    const children: VolumeChild[] = [];
    for (const entry of await readdir(handle.path, { withFileTypes: true })) {
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile()) continue;
      if (isRoot && entry.name === HIDDEN_STAGING) continue;
      children.push({ name: entry.name, isFolder });
    }
    return children;
  }

  async facts(folder: Names, names: readonly string[]): Promise<(FileFacts | null)[]> {
    const found = await inFolder(this.#place.root, folder, (handle) =>
      names.length >= MIN_FOR_THREAD && !fileStats.isBusy
        ? fileStats.read({ folder: handle.path, names })
        : handle.lstatEach(names, (found) => (found.isFile() ? factsOf(found) : null)),
    );
    return found ?? names.map(() => null);
  }

  find(names: Names): Promise<VolumeEntry | null> {
    return inFolder(this.#place.root, names.slice(0, -1), async (handle) => {
      const found = await handle.lstat(names.at(-1)!);
      const isFolder = found.isDirectory();
      const isVisible = (isFolder || found.isFile()) && found.dev === handle.owner.device;
      return isVisible ? { ...factsOf(found), isFolder } : null;
    });
  }

  open(names: Names): Promise<OpenFile | null> {
    return inFolder(this.#place.root, names.slice(0, -1), (handle) =>
      openRegular(handle.entry(names.at(-1)!), handle.owner.device),
    );
  }

  async createStaged(name: string): Promise<StagedFile> {
    // Not recursive: that would create the folders of a volume that was removed meanwhile.
    await mkdir(this.#place.staging, { mode: 0o700 }).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
    const { uid, gid, mode } = await stat(this.#place.root);
    const owner = { uid, gid, writeBits: mode & 0o022 };
    return this.#inStaging((handle) =>
      createStaged(handle.entry(name), owner, async () => void (await this.discardStaged(name))),
    );
  }

  openStaged(name: string): Promise<OpenFile | null> {
    return this.#inStaging((handle) => openRegular(handle.entry(name), null));
  }

  async place(name: string, names: Names, isNew: boolean): Promise<{ created: Names[] }> {
    const created: Names[] = [];
    for (let tries = 1; ; tries++) {
      try {
        created.push(...(await this.#placeOnce(name, names, isNew)));
        return { created };
      } catch (error) {
        // The file is still staged, so what is missing is a folder that was removed meanwhile.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries >= MAX_TRIES) throw error;
      }
    }
  }

  async #placeOnce(name: string, names: Names, isNew: boolean): Promise<Names[]> {
    const { created } = await inNewFolder(this.#place.root, names.slice(0, -1), (folder) =>
      this.#inStaging(async (staging) => {
        const [from, to] = [staging.entry(name), folder.entry(names.at(-1)!)];
        if (isNew) await link(from, to);
        else await rename(from, to);
        if (isNew) await unlink(from);
        await folder.sync();
      }),
    );
    return created;
  }

  async discardStaged(name: string): Promise<boolean> {
    try {
      await this.#inStaging((handle) => unlink(handle.entry(name)));
      return true;
    } catch (error) {
      if (!isMissing(error)) throw error;
      return false;
    }
  }

  async staged(): Promise<StagedFacts[]> {
    const names = await readdir(this.#place.staging).catch((): string[] => []);
    const found = names.map(async (name) => {
      const { size, mtimeMs } = await stat(path.join(this.#place.staging, name));
      return { name, size, changedAt: mtimeMs };
    });
    const settled = await Promise.allSettled(found);
    return settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  }

  async makeFolder(names: Names): Promise<Names[]> {
    const { created } = await inNewFolder(this.#place.root, names, (folder) => folder.sync());
    return created;
  }

  async remove(names: Names): Promise<boolean> {
    return (await this.#inParent(names, unlink, ["EISDIR", "EPERM"])) ?? false;
  }

  async removeFolder(names: Names): Promise<boolean> {
    return (await this.#inParent(names, rmdir, ["ENOTEMPTY", "EEXIST"])) ?? false;
  }

  /** False if the system refuses with one of `codes`. */
  #inParent(
    names: Names,
    change: (path: string) => Promise<void>,
    codes: readonly string[],
  ): Promise<boolean | null> {
    return inFolder(this.#place.root, names.slice(0, -1), async (folder) => {
      try {
        await change(folder.entry(names.at(-1)!));
        await folder.sync();
        return true;
      } catch (error) {
        if (codes.includes((error as NodeJS.ErrnoException).code ?? "")) return false;
        throw error;
      }
    });
  }

  /** Within a volume the staging folder could be replaced by a link, which is not followed. */
  async #inStaging<Result>(work: (staging: FolderHandle) => Promise<Result>): Promise<Result> {
    const parent = await FolderHandle.root(path.dirname(this.#place.staging));
    try {
      const staging = await parent.child(path.basename(this.#place.staging));
      try {
        return await work(staging);
      } finally {
        await staging.close();
      }
    } finally {
      await parent.close();
    }
  }
}
