// Deletes uploads of Flash builds that were not finalized in time, and archives that belong to no build.

import type { Clock } from "../../base/clock.ts";
import type { FlashArchives } from "../../flows/flash-app/archives.ts";
import type { Store } from "../../store/engine/store.ts";
import { listBuildIds } from "../../store/flash-app/build.ts";
import { endExpiredUploads } from "../../transactions/flash-app/build.ts";
import type { Loop } from "../engine/loop.ts";

export function sweepFlashArchivesLoop({
  store,
  clock,
  flashArchives,
}: {
  store: Store;
  clock: Clock;
  flashArchives: FlashArchives;
}): Loop {
  return {
    name: "sweep-flash-archives",
    shared: false,
    periodMs: 600_000,
    restMs: 60_000,
    topics: [],
    async run() {
      await store.write(endExpiredUploads, clock.now());
      await flashArchives.keepOnly(async () => new Set(await store.read(listBuildIds)));
      return null;
    },
  };
}
