// The contents of large folders as they were read last. A listing of many pages would otherwise read
// the whole folder for each. An entry is valid while the folder's times do not change.

import type { VolumeChild } from "../volume-files.ts";

interface Version {
  ino: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
}

interface Entry {
  version: Version;
  children: readonly VolumeChild[];
}

/** Smaller folders are read faster than they are worth keeping. */
const MIN_CHILDREN = 1_000;
const MAX_ENTRIES = 4;
/** A file system's clock ticks every few milliseconds; a later change could have the same time. */
const SETTLED_NS = 50_000_000n;

export class FolderCache {
  readonly #entries = new Map<string, Entry>();

  find(path: string, version: Version): readonly VolumeChild[] | undefined {
    const entry = this.#entries.get(path);
    return entry && isSame(entry.version, version) ? entry.children : undefined;
  }

  /** `nowNs` is from before the folder was read. */
  keep(path: string, version: Version, children: readonly VolumeChild[], nowNs: bigint): void {
    this.#entries.delete(path);
    if (children.length < MIN_CHILDREN || nowNs - version.ctimeNs < SETTLED_NS) return;
    this.#entries.set(path, { version, children });
    if (this.#entries.size > MAX_ENTRIES) {
      this.#entries.delete(this.#entries.keys().next().value as string);
    }
  }
}

function isSame(a: Version, b: Version): boolean {
  return a.ino === b.ino && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}
