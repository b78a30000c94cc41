// The check of the disk below the data folder: free space, and the time of a sync. No job is
// acknowledged before a sync.

import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import type { Clock } from "../../base/clock.ts";
import { nearestFolder } from "./data-folder.ts";
import type { Finding } from "./finding.ts";

const LEAST_BYTES = 200e6;
const FEW_BYTES = 2e9;
const SLOW_MS = 20;
const SYNCS = 40;

export function checkSpace(dataFolder: string): Finding {
  const { bavail, bsize } = statfsSync(nearestFolder(dataFolder));
  const bytes = bavail * bsize;
  const says = `${(bytes / 1e9).toFixed(1)} GB are free`;
  if (bytes > FEW_BYTES) return { level: "ok", about: "disk space", says };
  const fix = "free some, or name a folder on another disk with --data";
  return { level: bytes > LEAST_BYTES ? "warn" : "fail", about: "disk space", says, fix };
}

export function checkSync(dataFolder: string, clock: Clock): Finding {
  const about = "disk sync";
  try {
    const ms = meanSyncMs(nearestFolder(dataFolder), clock);
    const says = `${ms.toFixed(1)} ms for a sync`;
    if (ms < SLOW_MS) return { level: "ok", about, says };
    const fix = "every result waits for this: name a folder on a faster disk with --data";
    return { level: "warn", about, says, fix };
  } catch (error) {
    const fix = "name a writable folder with --data";
    return { level: "fail", about, says: (error as Error).message, fix };
  }
}

function meanSyncMs(below: string, clock: Clock): number {
  const folder = mkdtempSync(path.join(below, ".freehold-doctor-"));
  try {
    const file = openSync(path.join(folder, "sync"), "w");
    const page = Buffer.alloc(4096, 1);
    const startedAt = clock.ticks();
    for (let n = 0; n < SYNCS; n++) {
      writeSync(file, page);
      fdatasyncSync(file);
    }
    const tookMs = clock.ticks() - startedAt;
    closeSync(file);
    return tookMs / SYNCS;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
