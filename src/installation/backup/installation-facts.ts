// The data folder as it is now: its size, the room that its disk has left, and the last backup.

import type { Dirent } from "node:fs";
import { lstat, opendir, statfs } from "node:fs/promises";
import path from "node:path";
import type { HomeConfig } from "../../config/home-config.ts";
import type { FolderSize, Installation } from "../../flows/installation/read.ts";
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
    // Programs of PostgreSQL make the others.
    lastBackup: databaseUrl === null ? lastBackupOf(folder) : null,
  };
}

async function sizeOf(folder: string): Promise<FolderSize> {
  let bytes = 0;
  let files = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for await (const entry of entriesOf(next)) {
      const place = path.join(next, entry.name);
      if (entry.isDirectory()) folders.push(place);
      else bytes += await bytesOf(place);
      if (++files === MAX_FILES) return { bytes, isPartial: true };
    }
  }
  return { bytes, isPartial: false };
}

/** One by one, since a folder may have millions. None for one that has just gone, or that a container made its own. */
async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder);
  } catch {}
}

const bytesOf = (file: string): Promise<number> =>
  lstat(file).then(
    ({ size }) => size,
    () => 0,
  );
