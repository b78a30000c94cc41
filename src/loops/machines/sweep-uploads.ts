// Removes what uploads over S3 left behind on a machine's volumes: multipart uploads that were never
// completed, and staged files that belong to none, as after a crash.

import type { Clock } from "../../base/clock.ts";
import { DAY_MS, HOUR_MS } from "../../base/units.ts";
import type { Driver } from "../../drivers/driver.ts";
import type { Store } from "../../store/engine/store.ts";
import { volumesOn } from "../../store/network-volume/network-volume.ts";
import { partsOfUpload, uploadsOf } from "../../store/s3-upload/s3-upload.ts";
import { endUpload } from "../../transactions/s3/upload.ts";
import type { Loop } from "../engine/loop.ts";

export interface SweepUploadsDeps {
  store: Store;
  clock: Clock;
  drivers: readonly Driver[];
  machine: string;
}

const UPLOAD_MS = 7 * DAY_MS;
/** The disk's clock may be behind the store's. */
const SKEW_MS = 60_000;

export function sweepUploadsLoop(deps: SweepUploadsDeps): Loop {
  const { store, clock, machine } = deps;
  const startedAt = clock.now() - SKEW_MS;
  return {
    name: "sweep-uploads",
    shared: false,
    periodMs: HOUR_MS,
    restMs: 60_000,
    topics: [],
    async run() {
      for (const { id } of await store.read(volumesOn, machine)) {
        await endOldUploads(deps, id);
        await discardLeftovers(deps, id, startedAt);
      }
      return null;
    },
  };
}

async function endOldUploads({ store, clock }: SweepUploadsDeps, volumeId: string): Promise<void> {
  const since = clock.now() - UPLOAD_MS;
  for (const { id, createdAt } of await store.read(uploadsOf, volumeId)) {
    if (createdAt < since) await store.write(endUpload, id);
  }
}

/** A file that is written to changes all the time, and no upload outlives the process that received it. */
async function discardLeftovers(
  { store, clock, drivers }: SweepUploadsDeps,
  volumeId: string,
  startedAt: number,
): Promise<void> {
  const before = Math.max(startedAt, clock.now() - DAY_MS);
  for (const driver of drivers) {
    const files = await driver.volumeFiles?.({ kind: "network", name: volumeId }, false);
    for (const { name, changedAt } of (await files?.staged()) ?? []) {
      if (changedAt >= before) continue;
      const needed = new Set<string>();
      for (const { id } of await store.read(uploadsOf, volumeId)) {
        for (const { staged } of await store.read(partsOfUpload, id)) needed.add(staged);
      }
      if (!needed.has(name)) await files!.discardStaged(name);
    }
  }
}
