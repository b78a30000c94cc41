// The deliberate end of the local authority's root: the next start creates another one.

import { rmSync } from "node:fs";
import { Refusal } from "../../base/refusal.ts";
import { deleteSetting, findSetting } from "../../store/setting/setting.ts";
import type { HomeConfig } from "../config/home-config.ts";
import { takeDataFolder } from "../installation/data-folder.ts";
import { openStore } from "../installation/open-store.ts";
import { ownFiles, rootFile } from "../tls/own-files.ts";
import { ROOT_SETTING } from "./local-authority.ts";

/** Throws Refusal if there is none, or a service uses the data folder. */
export async function dropRoot(config: HomeConfig): Promise<void> {
  const folder = takeDataFolder(config.dataFolder);
  try {
    const store = await openStore(config, folder.path);
    try {
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

const NONE = "there is no root to replace; `freehold up --tls local` creates one";
