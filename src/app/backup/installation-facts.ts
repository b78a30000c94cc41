// The data folder as it is now: its size, the room that its disk has left, and the last backup.

import type { Dirent } from "node:fs";
import { lstat, readdir, statfs } from "node:fs/promises";
import path from "node:path";
import type { FolderSize, Installation } from "../../flows/installation/read.ts";
import type { HomeConfig } from "../config/home-config.ts";
import { lastBackupOf } from "./last-backup.ts";

/** Counting more takes too long for one answer. */
const MAX_FILES = 20_000;

export async function installationFacts({
  dataFolder: folder,
  databaseUrl,
}: Pick<HomeConfig, "dataFolder" | "databaseUrl">): Promise<Installation> {
  const { bavail, bsize } = await statfs(folder);
  return {
    database: databaseUrl === null ? "sqlite" : "postgresql",
    dataFolder: { path: folder, freeBytes: bavail * bsize, ...(await sizeOf(folder)) },
    lastBackup: lastBackupOf(folder),
  };
}

async function sizeOf(folder: string): Promise<FolderSize> {
  let bytes = 0;
  let files = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of await entriesOf(next)) {
      const place = path.join(next, entry.name);
      if (entry.isDirectory()) folders.push(place);
      else bytes += await bytesOf(place);
      if (++files === MAX_FILES) return { bytes, isPartial: true };
    }
  }
  return { bytes, isPartial: false };
}

/** None for a folder that has just gone, or that a container made its own. */
const entriesOf = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch(() => []);

const bytesOf = (file: string): Promise<number> =>
  lstat(file).then(
    ({ size }) => size,
    () => 0,
  );
