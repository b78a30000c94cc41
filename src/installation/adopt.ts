// The deliberate change of a data folder's installation: the folder joins the store that the
// configuration names, as a new machine. What the old installation has on the engine stays there.

import { rmSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../base/refusal.ts";
import type { HomeConfig } from "../config/home-config.ts";
import { takeDataFolder } from "./data-folder.ts";
import { ensureInstallation } from "./enter-installation.ts";
import { folderIdentity, MACHINE_FILE, setInstallation } from "./folder-identity.ts";
import { openStore } from "./open-store.ts";

export interface Adoption {
  installation: string;
  /** What the folder belonged to; null if only its machine is known. */
  before: string | null;
}

/** Throws Refusal if the folder is new, or belongs to the store already. */
export async function adopt(config: HomeConfig): Promise<Adoption> {
  const folder = takeDataFolder(config.dataFolder);
  try {
    const { installation: before, machine } = folderIdentity(folder.path);
    if (before === null && machine === null) {
      throw new Refusal(`${folder.path} belongs to no installation; \`freehold up\` starts one`);
    }
    const store = await openStore(config, folder.path);
    const installation = await ensureInstallation(store).finally(() => store.close());
    if (installation === before) {
      throw new Refusal(`${folder.path} and its database belong together already (${before})`);
    }
    // A new machine id keeps the names of the old containers, networks and volumes apart. It goes
    // first: a kill in between leaves a folder that `up` still refuses.
    rmSync(path.join(folder.path, MACHINE_FILE), { force: true });
    setInstallation(folder.path, installation);
    return { installation, before };
  } finally {
    folder.release();
  }
}
