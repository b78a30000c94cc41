// The deliberate end of the local authority's root: the next start creates another one.

import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { systemClock } from "../../base/clock.ts";
import { Refusal } from "../../base/refusal.ts";
import { ownFiles, rootFile } from "../../config/certificate/own-files.ts";
import type { HomeConfig } from "../../config/home-config.ts";
import { takeDataFolder } from "../../installation/data-folder.ts";
import { refuseMissingStore } from "../../installation/enter-installation.ts";
import { openStore } from "../../installation/open-store.ts";
import { MOVED, STORE } from "../../installation/put-in-place.ts";
import type { Store } from "../../store/engine/store.ts";
import { liveMachines } from "../../store/replica/replica.ts";
import { deleteSetting, findSetting } from "../../store/setting/setting.ts";
import { ROOT_SETTING } from "./local-authority.ts";

/** Longer than the time between two heartbeats, as far as it can be set. */
const LIVE_MS = 60_000;

/** Throws Refusal if there is none, or a service uses the data folder or the database. */
export async function dropRoot(config: HomeConfig): Promise<void> {
  refuseNoStore(config);
  const folder = takeDataFolder(config.dataFolder);
  try {
    const store = await openStore(config, folder.path);
    try {
      await refuseLiveReplicas(store);
      if ((await store.read(findSetting, ROOT_SETTING)) === null) throw new Refusal(NONE);
      await store.write(deleteSetting, ROOT_SETTING);
    } finally {
      await store.close();
    }
    const { certificate, key } = ownFiles(config.dataFolder, "local");
    for (const file of [certificate, key, rootFile(config.dataFolder)])
      rmSync(file, { force: true });
  } finally {
    folder.release();
  }
}

/** Taking the folder would create it, and opening the store an empty one. */
function refuseNoStore(config: HomeConfig): void {
  const { databaseUrl, dataFolder } = config;
  const files = databaseUrl ? [""] : [STORE, MOVED];
  if (files.some((file) => existsSync(path.join(dataFolder, file)))) return;
  if (!existsSync(dataFolder)) throw new Refusal(`there is no data folder ${dataFolder}`);
  refuseMissingStore(config, dataFolder);
  throw new Refusal(`${dataFolder} has no store; ${NONE}`);
}

/** A running replica creates another root at once, which its clients do not have. */
export async function refuseLiveReplicas(store: Store): Promise<void> {
  if (store.alone) return; // the store is in the folder, which is locked
  const now = (await store.time()) ?? systemClock.now();
  const [live] = await store.read(liveMachines, now - LIVE_MS);
  if (live === undefined) return;
  throw new Refusal(
    `a replica on this database runs, ${live.address || live.machine}: stop all of them first; one that died counts for a minute`,
  );
}

const NONE = "there is no root to replace; `freehold up --tls local` creates one";
