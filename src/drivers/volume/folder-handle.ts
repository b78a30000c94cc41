// An open folder of a volume. Entries are reached through the open handle, one name at a time, and no
// link is followed: a workload that swaps a folder for a link while a path is resolved gains nothing.
// Linux only: names are resolved below /proc/self/fd.

import { type BigIntStats, constants, lstat } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { promisify } from "node:util";
import type { Names } from "../volume-files.ts";
import { isMissing } from "./missing.ts";
import { closedOnFailure } from "./opened-file.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const FOLDER_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK;
const BIGINT = { bigint: true } as const;
const FOLDER_MODE = 0o755;

/** A third of the time that lstat of "node:fs/promises" takes. */
const lstatOf = promisify(lstat);

/** The owner of a volume's root, which new files get, and the rights of others to write to it. */
export interface VolumeOwner {
  uid: number;
  gid: number;
  /** The bits of the mode for the group and for others. */
  writeBits: number;
  device: bigint;
}

export class FolderHandle {
  readonly #handle: FileHandle;
  readonly owner: VolumeOwner;

  private constructor(handle: FileHandle, owner: VolumeOwner) {
    this.#handle = handle;
    this.owner = owner;
  }

  /** The root's own path is the engine's, so links in it are the operator's. */
  static async root(path: string): Promise<FolderHandle> {
    const handle = await open(path, O_RDONLY | O_DIRECTORY);
    const stat = () => handle.stat({ bigint: true });
    const { uid, gid, dev, mode } = await closedOnFailure(handle, stat);
    const writeBits = Number(mode) & 0o022;
    return new FolderHandle(handle, { uid: Number(uid), gid: Number(gid), writeBits, device: dev });
  }

  /** The path of an entry, valid while the handle is open. */
  entry(name: string): string {
    return `/proc/self/fd/${this.#handle.fd}/${name}`;
  }

  get path(): string {
    return `/proc/self/fd/${this.#handle.fd}`;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  sync(): Promise<void> {
    return this.#handle.sync();
  }

  stat() {
    return this.#handle.stat({ bigint: true });
  }

  /** Rejects with ENOENT, or with ENOTDIR for anything but a folder of this volume. */
  async child(name: string): Promise<FolderHandle> {
    const handle = await open(this.entry(name), FOLDER_FLAGS);
    const { dev } = await closedOnFailure(handle, () => handle.stat({ bigint: true }));
    if (dev === this.owner.device) return new FolderHandle(handle, this.owner);
    await handle.close();
    throw Object.assign(new Error("another file system"), { code: "ENOTDIR" });
  }

  /** The child, created if it is missing; `true` if it was created. */
  async childOrNew(name: string): Promise<[FolderHandle, boolean]> {
    const isNew = await mkdir(this.entry(name), FOLDER_MODE).then(
      () => true,
      (error) => {
        if (error.code === "EEXIST") return false;
        throw error;
      },
    );
    const child = await this.child(name);
    if (!isNew) return [child, isNew];
    return closedOnFailure(child, async () => {
      await child.#handle.chown(this.owner.uid, this.owner.gid);
      await child.#handle.chmod(FOLDER_MODE | this.owner.writeBits);
      return [child, isNew];
    });
  }

  lstat(name: string) {
    return lstatOf(this.entry(name), { bigint: true });
  }

  /** `use` for each that exists, else null. One promise for all. */
  lstatEach<Result>(
    names: readonly string[],
    use: (found: BigIntStats) => Result,
  ): Promise<(Result | null)[]> {
    const results: (Result | null)[] = new Array(names.length).fill(null);
    if (names.length === 0) return Promise.resolve(results);
    return new Promise((resolve, reject) => {
      let left = names.length;
      for (const [n, name] of names.entries()) {
        lstat(this.entry(name), BIGINT, (error, found) => {
          if (!error) results[n] = use(found);
          else if (!isMissing(error)) reject(error);
          if (--left === 0) resolve(results);
        });
      }
    });
  }
}

/** Runs `work` in the folder at a path. Null if the folder is missing. */
export async function inFolder<Result>(
  rootPath: string,
  names: Names,
  work: (folder: FolderHandle) => Promise<Result>,
): Promise<Result | null> {
  let folder = await FolderHandle.root(rootPath);
  try {
    for (const name of names) folder = await descend(folder, folder.child(name));
    return await work(folder);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  } finally {
    await folder.close();
  }
}

/** Runs `work` in the folder at a path, and creates what is missing; `created` are the folders that did not exist. */
export async function inNewFolder<Result>(
  rootPath: string,
  names: Names,
  work: (folder: FolderHandle) => Promise<Result>,
): Promise<{ created: Names[]; result: Result }> {
  const created: Names[] = [];
  let folder = await FolderHandle.root(rootPath);
  try {
    for (const [n, name] of names.entries()) {
      const [child, isNew] = await folder.childOrNew(name);
      if (isNew) created.push(names.slice(0, n + 1));
      folder = await descend(folder, child);
    }
    return { created, result: await work(folder) };
  } finally {
    await folder.close();
  }
}

async function descend(
  parent: FolderHandle,
  child: FolderHandle | Promise<FolderHandle>,
): Promise<FolderHandle> {
  const opened = await child;
  await parent.close();
  return opened;
}
