// Keeps archived jobs within bounds: deletes those whose time is over, those of deleted endpoints, and the oldest of
// an account whose storage is half full, so that archives never cause a refusal of new jobs.

import type { Clock } from "../../base/clock.ts";
import { storedBytes } from "../../store/account/stored.ts";
import type { Store } from "../../store/engine/store.ts";
import { type ArchiveSize, archiveSizes } from "../../store/job/archive/archive.ts";
import { evictArchived, forgetArchived } from "../../transactions/job/forget.ts";
import type { Loop } from "../engine/loop.ts";

const MAX_PER_TRANSACTION = 100;

interface TrimDeps {
  store: Store;
  clock: Clock;
  /** In bytes; null for no limit. */
  storagePerAccount: number | null;
}

export function trimArchivesLoop(deps: TrimDeps): Loop {
  return {
    name: "trim archives",
    shared: true,
    periodMs: 5_000,
    restMs: 50,
    topics: [],
    async run() {
      const { store, clock } = deps;
      const now = clock.now();
      const overdue = await store.write(forgetArchived, now, MAX_PER_TRANSACTION);
      const evicted = await trim(deps);
      return overdue === MAX_PER_TRANSACTION || evicted > 0 ? now : null;
    },
  };
}

/** Evicts a slice of each account's largest archive that is over its bounds. Returns how many jobs. */
async function trim({ store, storagePerAccount }: TrimDeps): Promise<number> {
  let evicted = 0;
  const done = new Set<string>();
  for (const size of await store.read(archiveSizes)) {
    const { accountId, endpointId } = size;
    if (done.has(accountId)) continue;
    if (!(await isOver(store, size, storagePerAccount))) continue;
    evicted += await store.write(evictArchived, endpointId, MAX_PER_TRANSACTION);
    done.add(accountId);
  }
  return evicted;
}

async function isOver(store: Store, size: ArchiveSize, limit: number | null): Promise<boolean> {
  if (size.isDeleted || store.isFull) return true;
  return limit !== null && (await store.read(storedBytes, size.accountId)) > limit / 2;
}
